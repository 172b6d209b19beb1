package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** The reasons why a file cannot be read. No test uses a file without permission, because root may read all. */
final class InputFileTest {

    @Test
    void unreadable_anyReason_isInWords() {
        assertThat(reason(new NoSuchFileException("f"))).isEqualTo("cannot read f: there is no such file");
        assertThat(reason(new AccessDeniedException("f"))).isEqualTo("cannot read f: no permission");
        assertThat(reason(new FileSystemException("f", null, "Too many levels of symbolic links")))
                .isEqualTo("cannot read f: Too many levels of symbolic links");
        assertThat(reason(new IOException("Input/output error"))).isEqualTo("cannot read f: Input/output error");
        assertThat(reason(new IOException())).isEqualTo("cannot read f: IOException");
    }

    private static String reason(IOException e) {
        return InputFile.unreadable("f", e).getMessage();
    }

    @Test
    void nameOf_dash_isStandardInput() {
        assertThat(InputFile.nameOf("-")).isEqualTo("standard input");
        assertThat(InputFile.nameOf("a.log")).isEqualTo("a.log");
    }
}
