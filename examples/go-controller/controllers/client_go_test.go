package controllers_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"

	"example.com/gardens/api"
)

// What client-go does without controller-runtime: discovery, typed and dynamic clients, informers, events.

func TestDiscoveryFindsGardens(t *testing.T) {
	resources, err := discovery.NewDiscoveryClientForConfigOrDie(config).ServerResourcesForGroupVersion("example.com/v1")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, resource := range resources.APIResources {
		names[resource.Name] = true
	}
	if !names["gardens"] || !names["gardens/status"] {
		t.Fatalf("unexpected: %v", names)
	}
}

func TestTypedClientOfNamespaces(t *testing.T) {
	namespaces := kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces()
	ctx := context.Background()
	wanted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "plot-"}}
	created, err := namespaces.Create(ctx, wanted, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	patch := []byte(`{"metadata":{"labels":{"sunny":"yes"}}}`)
	patched, err := namespaces.Patch(ctx, created.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil || patched.Labels["sunny"] != "yes" || patched.Status.Phase != corev1.NamespaceActive {
		t.Fatalf("unexpected: %v %+v", err, patched)
	}
	if err := namespaces.Delete(ctx, created.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	// As in envtest, no controller empties it: it stays until a client does.
	time.Sleep(200 * time.Millisecond)
	left, err := namespaces.Get(ctx, created.Name, metav1.GetOptions{})
	if err != nil || left.Status.Phase != corev1.NamespaceTerminating {
		t.Fatalf("unexpected: %v %+v", err, left)
	}
}

func TestInformerOfTheDynamicClient(t *testing.T) {
	client := dynamic.NewForConfigOrDie(config)
	gardens := api.GroupVersion.WithResource("gardens")
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, "default", nil)
	informer := factory.ForResource(gardens).Informer()
	seen := make(chan string, 100)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { seen <- "add " + object.(*unstructured.Unstructured).GetName() },
		DeleteFunc: func(object any) { seen <- "delete " + object.(*unstructured.Unstructured).GetName() },
	})
	must(err)
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Garden",
		"metadata": map[string]any{"name": "informed"}, "spec": map[string]any{"rows": int64(1)},
	}}
	inDefault := client.Resource(gardens).Namespace("default")
	if _, err := inDefault.Create(context.Background(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	waitFor(t, seen, "add informed")
	if err := inDefault.Delete(context.Background(), "informed", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	waitFor(t, seen, "delete informed")
}

func waitFor(t *testing.T, seen <-chan string, wanted string) {
	t.Helper()
	for deadline := time.After(10 * time.Second); ; {
		select {
		case what := <-seen:
			if what == wanted {
				return
			}
		case <-deadline:
			t.Fatalf("never seen: %s", wanted)
		}
	}
}

func TestRecorderWritesEventsAndCountsThem(t *testing.T) {
	clientset := kubernetes.NewForConfigOrDie(config)
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(sink(clientset))
	recorder := broadcaster.NewRecorder(scheme, corev1.EventSource{Component: "gardener"})
	about := garden("eventful", 1)
	about.APIVersion, about.Kind, about.UID = "example.com/v1", "Garden", "1234"
	for range 3 {
		recorder.Event(about, corev1.EventTypeNormal, "Watered", "it was dry")
	}
	eventually(t, "one event that counts three", func() bool {
		list, err := clientset.CoreV1().Events("default").List(context.Background(), metav1.ListOptions{
			FieldSelector: "involvedObject.name=eventful",
		})
		return err == nil && len(list.Items) == 1 && list.Items[0].Count == 3
	})
}

func TestWatchGoesOnFromAList(t *testing.T) {
	gardens := dynamic.NewForConfigOrDie(config).Resource(api.GroupVersion.WithResource("gardens")).Namespace("default")
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	list, err := gardens.List(ctx, metav1.ListOptions{Limit: 1})
	must(err)
	changes, err := gardens.Watch(ctx, metav1.ListOptions{ResourceVersion: list.GetResourceVersion()})
	must(err)
	defer changes.Stop()
	create(t, garden("watched", 1))
	for event := range changes.ResultChan() {
		if object, ok := event.Object.(*unstructured.Unstructured); ok && object.GetName() == "watched" {
			if event.Type != watch.Added {
				t.Fatalf("unexpected: %s", event.Type)
			}
			return
		}
	}
	t.Fatal("the watch ended before")
}

func sink(clientset kubernetes.Interface) record.EventSink {
	return &typedcorev1.EventSinkImpl{Interface: clientset.CoreV1().Events("")}
}
