package dev.weir.spring.internal;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** The variables of expressions (SpEL), which are null where nobody sets them, and the beans that they name. */
public final class Variables {
    private static final Set<String> OF_EACH = Set.of("#root", "#this");

    private Variables() {}

    /** Returns the variables that an expression refers to, except those that each expression has. */
    public static Set<String> of(SpelExpression expression) {
        Set<String> found = new LinkedHashSet<>();
        collect(VariableReference.class, expression.getAST(), found);
        found.removeAll(OF_EACH);
        return found;
    }

    /** Returns the names of the beans that an expression refers to. */
    public static Set<String> beans(SpelExpression expression) {
        Set<String> found = new LinkedHashSet<>();
        collect(BeanReference.class, expression.getAST(), found);
        return found.stream().map(text -> text.replaceAll("^@|'", "")).collect(Collectors.toSet());
    }

    private static void collect(Class<? extends SpelNode> type, SpelNode node, Set<String> found) {
        if (type.isInstance(node)) {
            found.add(node.toStringAST());
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(type, node.getChild(i), found);
        }
    }
}
