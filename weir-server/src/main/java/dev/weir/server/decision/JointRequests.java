package dev.weir.server.decision;

import dev.weir.Request;
import java.util.ArrayList;
import java.util.List;

/** The requests of descriptors that are decided together. Descriptors with the same key are one request for all their hits. */
final class JointRequests {
    private final List<Request> requests = new ArrayList<>();
    private final int[] positions;

    /**
     * Creates the requests.
     *
     * @throws InvalidRequestException if two descriptors are equal but bring different limits
     */
    JointRequests(Limiters limiters, List<Descriptor> descriptors) {
        positions = new int[descriptors.size()];
        for (int i = 0; i < positions.length; i++) {
            Descriptor descriptor = descriptors.get(i);
            int position = find(descriptor);
            long permits = descriptor.permits();
            if (position == requests.size()) {
                requests.add(limiters.descriptor(descriptor.rule().limits(), descriptor.key(), permits));
            } else {
                permits = Math.min(
                        Descriptor.MAX_HITS, permits + requests.get(position).permits());
                requests.set(position, limiters.descriptor(descriptor.rule().limits(), descriptor.key(), permits));
            }
            positions[i] = position;
        }
    }

    private int find(Descriptor descriptor) {
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            if (request.key().equals(descriptor.key())) {
                if (!request.limits().equals(descriptor.rule().limits())) {
                    throw new InvalidRequestException("descriptors of a request are equal but have different limits");
                }
                return i;
            }
        }
        return requests.size();
    }

    Request[] requests() {
        return requests.toArray(Request[]::new);
    }

    /** Returns the position of a descriptor's request. */
    int position(int descriptor) {
        return positions[descriptor];
    }
}
