package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.TimeSource;
import dev.weir.redis.RedisStore;
import dev.weir.spring.internal.InvalidConfigurationException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** The URIs of the servers that a connection factory connects to. */
class LettuceStoresTest {
    private static final LettuceClientConfiguration PLAIN = LettuceClientConfiguration.defaultConfiguration();
    private static final LettuceClientConfiguration TLS =
            LettuceClientConfiguration.builder().useSsl().build();

    private static String checked(LettuceConnectionFactory factory) {
        String uri = LettuceStores.uri(factory);
        RedisStore.builder(uri); // throws if it is not valid
        return uri;
    }

    @Test
    void uri_server_hasCredentialsAndDatabase() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("::1", 6380);
        server.setUsername("we/ir");
        server.setPassword("p@ss:w/rd %41+");
        server.setDatabase(3);

        String uri = checked(new LettuceConnectionFactory(server, TLS));

        assertThat(uri).isEqualTo("rediss://we%2Fir:p%40ss%3Aw%2Frd%20%2541%2B@[::1]:6380/3");
        RedisURI parsed = RedisURI.create(uri);
        assertThat(parsed.getHost()).isEqualTo("[::1]");
        RedisCredentials credentials =
                parsed.getCredentialsProvider().resolveCredentials().block();
        assertThat(credentials.getUsername()).isEqualTo("we/ir");
        assertThat(new String(credentials.getPassword())).isEqualTo("p@ss:w/rd %41+");
    }

    @Test
    void uri_sentinels_namesThePrimary() {
        RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration()
                .master("main")
                .sentinel("a", 26379)
                .sentinel("b", 26380);

        assertThat(checked(new LettuceConnectionFactory(sentinels, PLAIN)))
                .isIn("redis-sentinel://a:26379,b:26380/0#main", "redis-sentinel://b:26380,a:26379/0#main");
    }

    @Test
    void uri_cluster_namesTheNodes() {
        RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of("a:7000"));
        cluster.setPassword("secret");

        assertThat(checked(new LettuceConnectionFactory(cluster, TLS))).isEqualTo("rediss-cluster://:secret@a:7000");
    }

    @Test
    void uri_sentinelsWithTheServersPassword_hasIt() {
        RedisSentinelConfiguration sentinels =
                new RedisSentinelConfiguration().master("main").sentinel("a", 26379);
        sentinels.setPassword("secret");
        sentinels.setSentinelPassword("secret");

        assertThat(checked(new LettuceConnectionFactory(sentinels, PLAIN)))
                .isEqualTo("redis-sentinel://:secret@a:26379/0#main");
    }

    @Test
    void uri_sentinelsWithOtherCredentials_isReported() {
        RedisSentinelConfiguration password =
                new RedisSentinelConfiguration().master("main").sentinel("a", 26379);
        password.setSentinelPassword("other");
        RedisSentinelConfiguration user =
                new RedisSentinelConfiguration().master("main").sentinel("a", 26379);
        user.setSentinelUsername("weir");

        for (RedisSentinelConfiguration sentinels : List.of(password, user)) {
            assertThatThrownBy(() -> LettuceStores.uri(new LettuceConnectionFactory(sentinels, PLAIN)))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessage("weir.redis.uri: the sentinels of the LettuceConnectionFactory must have no credentials"
                            + " or the password of the servers");
        }
    }

    @Test
    void uri_masterAndReplicas_isReported() {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("a", 6379), PLAIN);

        assertThatThrownBy(() -> LettuceStores.uri(factory))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "weir.redis.uri: must be set, because the LettuceConnectionFactory connects to a list of replicas");
    }

    @Test
    void uri_providerOfCredentials_isReported() {
        LettuceClientConfiguration tokens = LettuceClientConfiguration.builder()
                .redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {})
                .build();
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("a", 6379), tokens);

        assertThatThrownBy(() -> LettuceStores.uri(factory))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("weir.redis.uri: must be set, because the LettuceConnectionFactory has a"
                        + " RedisCredentialsProviderFactory");
    }

    @Test
    void builder_factoryDeclaredByItsInterface_isFound() {
        var beans = new DefaultListableBeanFactory();
        var unusable = new LettuceConnectionFactory(new RedisSocketConfiguration("/tmp/redis.sock"), PLAIN);
        beans.registerBeanDefinition("factory", new RootBeanDefinition(RedisConnectionFactory.class, () -> unusable));

        assertThatThrownBy(() -> LettuceStores.builder(
                        new WeirProperties.Redis(null, Duration.ofMillis(50), "weir", null, 1, Duration.ZERO),
                        List.of(),
                        TimeSource.system(),
                        beans))
                .hasMessageContaining("connects to a Unix socket");
    }

    @Test
    void uri_socket_isReported() {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisSocketConfiguration("/tmp/redis.sock"), PLAIN);

        assertThatThrownBy(() -> LettuceStores.uri(factory))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "weir.redis.uri: must be set, because the LettuceConnectionFactory connects to a Unix socket");
    }
}
