package dev.weir.examples.payments;

import dev.weir.testing.JavaCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts the example in a process of its own. */
final class PaymentsProcess {
    private PaymentsProcess() {}

    static Process launch(String... options) throws IOException {
        List<String> command = new ArrayList<>(JavaCommand.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dsun.net.httpserver.nodelay=true",
                Payments.class.getName()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
