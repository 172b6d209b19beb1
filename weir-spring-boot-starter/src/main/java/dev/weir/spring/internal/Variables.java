package dev.weir.spring.internal;

import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** The variables of expressions (SpEL), which are null where nobody sets them. */
public final class Variables {
    private static final Set<String> OF_EACH = Set.of("#root", "#this");

    private Variables() {}

    /** Returns the variables that an expression refers to, except those that each expression has. */
    public static Set<String> of(SpelExpression expression) {
        Set<String> found = new LinkedHashSet<>();
        collect(expression.getAST(), found);
        found.removeAll(OF_EACH);
        return found;
    }

    private static void collect(SpelNode node, Set<String> found) {
        if (node instanceof VariableReference reference) {
            found.add(reference.toStringAST());
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), found);
        }
    }
}
