package dev.weir.redis;

import dev.weir.Request;
import java.util.List;

/** A joint request without a future, for calls of scripts. */
record TestRequest(List<Request> requests, long maxWaitNanos) implements JointRequest {}
