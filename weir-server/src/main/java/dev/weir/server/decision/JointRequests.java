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
            Request request = limiters.request(descriptors.get(i));
            int position = find(request);
            if (position == requests.size()) {
                requests.add(request);
            } else {
                long permits = request.permits() + requests.get(position).permits();
                long counted = Math.min(Descriptor.MAX_HITS, permits);
                requests.set(position, limiters.descriptor(request.limits(), request.key(), counted));
            }
            positions[i] = position;
        }
    }

    private int find(Request request) {
        for (int i = 0; i < requests.size(); i++) {
            Request earlier = requests.get(i);
            if (earlier.key().equals(request.key())) {
                if (!earlier.limits().equals(request.limits())) {
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
