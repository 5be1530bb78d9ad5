"""Watch, server-side apply and status with the official client of Python, against any server of $KUBECONFIG."""

import threading

from kubernetes import config, dynamic

garden = {
    "apiVersion": "example.com/v1",
    "kind": "Garden",
    "metadata": {"name": "python", "namespace": "default"},
    "spec": {"beds": 3},
}


def main() -> None:
    api = dynamic.DynamicClient(config.new_client_from_config())
    gardens = api.resources.get(api_version="example.com/v1", kind="Garden")

    # Tends what comes: a controller in miniature. The watch begins where the list ended.
    listed = gardens.get(namespace="default")

    def tend() -> None:
        events = gardens.watch(
            namespace="default", resource_version=listed.metadata.resourceVersion, timeout=60
        )
        for event in events:
            seen = event["object"]
            blooming = bool(seen.status and seen.status.blooming)
            print(f"{event['type']} {seen.metadata.name}: blooming {str(blooming).lower()}", flush=True)
            if blooming:
                return
            gardens.status.patch(
                name=seen.metadata.name,
                namespace="default",
                body={"status": {"blooming": True}},
                content_type="application/merge-patch+json",
            )

    thread = threading.Thread(target=tend)
    thread.start()
    applied = gardens.server_side_apply(body=garden, namespace="default", field_manager="gardener")
    print(f"applied {applied.metadata.name}: season {applied.spec.season}", flush=True)
    thread.join()
    done = gardens.get(name="python", namespace="default")
    print(f"generation {done.metadata.generation}, blooming {str(done.status.blooming).lower()}")


if __name__ == "__main__":
    main()
