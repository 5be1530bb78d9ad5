import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Watch, server-side apply and status with fabric8's client, against any server of $KUBECONFIG. */
public final class Gardens {
  private static final String NAME = "java";

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      var gardens = client.genericKubernetesResources("example.com/v1", "Garden").inNamespace("default");
      var bloomed = new CountDownLatch(1);

      // Tends what comes: a controller in miniature. The watch begins where the list ended.
      var since = gardens.list().getMetadata().getResourceVersion();
      var options = new ListOptionsBuilder().withResourceVersion(since).build();
      var watch = gardens.watch(options, new Watcher<GenericKubernetesResource>() {
        @Override
        public void eventReceived(Action action, GenericKubernetesResource garden) {
          var name = garden.getMetadata().getName();
          boolean blooming = Boolean.TRUE.equals(garden.get("status", "blooming"));
          System.out.println(action + " " + name + ": blooming " + blooming);
          if (blooming) {
            bloomed.countDown();
            return;
          }
          gardens.withName(name).subresource("status")
              .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"blooming\":true}}");
        }

        @Override
        public void onClose(WatcherException cause) {
          if (cause != null) cause.printStackTrace();
        }
      });

      var garden = new GenericKubernetesResourceBuilder()
          .withApiVersion("example.com/v1")
          .withKind("Garden")
          .withNewMetadata().withName(NAME).withNamespace("default").endMetadata()
          .addToAdditionalProperties("spec", Map.of("beds", 3))
          .build();
      var apply = new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("gardener")
          .build();
      GenericKubernetesResource applied = gardens.resource(garden).patch(apply);
      System.out.println("applied " + NAME + ": season " + applied.get("spec", "season"));
      bloomed.await(60, TimeUnit.SECONDS);
      watch.close();
      var done = gardens.withName(NAME).get();
      System.out.println("generation " + done.getMetadata().getGeneration()
          + ", blooming " + done.get("status", "blooming"));
    }
  }
}
