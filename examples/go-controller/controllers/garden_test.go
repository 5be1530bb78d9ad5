package controllers_test

import (
	"context"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"example.com/gardens/api"
	"example.com/gardens/controllers"
)

func garden(name string, rows int) *api.Garden {
	return &api.Garden{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec:       api.GardenSpec{Rows: rows},
	}
}

func create(t *testing.T, object client.Object) {
	t.Helper()
	if err := k8s.Create(context.Background(), object); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, object *api.Garden) *api.Garden {
	t.Helper()
	found := &api.Garden{}
	if err := k8s.Get(context.Background(), client.ObjectKeyFromObject(object), found); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRowsArePlantedAndHarvested(t *testing.T) {
	roses := garden("roses", 3)
	create(t, roses)
	eventually(t, "three rows are planted", func() bool { return get(t, roses).Status.Planted == 3 })
	current := get(t, roses)
	if !controllerutil.ContainsFinalizer(current, controllers.Finalizer) || current.Spec.Owner != "nobody" {
		t.Fatalf("no finalizer or no default: %+v", current)
	}
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		latest := get(t, roses)
		latest.Spec.Rows = 5
		return k8s.Update(context.Background(), latest)
	})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "five rows are planted", func() bool { return get(t, roses).Status.Planted == 5 })
	if err := k8s.Delete(context.Background(), roses); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the garden is gone", func() bool {
		return apierrors.IsNotFound(k8s.Get(context.Background(), client.ObjectKeyFromObject(roses), &api.Garden{}))
	})
	if _, found := harvested.Load("roses"); !found {
		t.Fatal("nobody harvested the roses")
	}
}

func TestWhatIsWrongIsRefused(t *testing.T) {
	err := k8s.Create(context.Background(), garden("large", 13))
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.rows in body should be less than or equal to 12") {
		t.Fatalf("unexpected: %v", err)
	}
	shrinking := garden("shrinking", 4)
	create(t, shrinking)
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"rows":2}}`))
	err = k8s.Patch(context.Background(), shrinking, patch)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "a garden does not shrink") {
		t.Fatalf("unexpected: %v", err)
	}
}

func TestStaleUpdatesConflict(t *testing.T) {
	busy := garden("busy", 1)
	create(t, busy)
	eventually(t, "it is planted", func() bool { return get(t, busy).Status.Planted == 1 })
	first, second := get(t, busy), get(t, busy)
	first.Spec.Rows = 2
	if err := k8s.Update(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	second.Spec.Rows = 3
	if err := k8s.Update(context.Background(), second); !apierrors.IsConflict(err) {
		t.Fatalf("unexpected: %v", err)
	}
}

func applied(rows int64) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"rows": rows}}}
	object.SetGroupVersionKind(api.GroupVersion.WithKind("Garden"))
	object.SetNamespace("default")
	object.SetName("applied")
	return object
}

func TestServerSideApplyKnowsWhoOwnsWhat(t *testing.T) {
	ctx := context.Background()
	if err := k8s.Patch(ctx, applied(2), client.Apply, client.FieldOwner("alice")); err != nil {
		t.Fatal(err)
	}
	err := k8s.Patch(ctx, applied(4), client.Apply, client.FieldOwner("bob"))
	if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `conflict with "alice": .spec.rows`) {
		t.Fatalf("unexpected: %v", err)
	}
	if err := k8s.Patch(ctx, applied(4), client.Apply, client.FieldOwner("bob"), client.ForceOwnership); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the controller plants what bob applied", func() bool {
		return get(t, garden("applied", 0)).Status.Planted == 4
	})
}

func TestFieldsSelect(t *testing.T) {
	for name, owner := range map[string]string{"hers": "alice", "his": "bob"} {
		object := garden(name, 1)
		object.Spec.Owner = owner
		create(t, object)
	}
	var list api.GardenList
	if err := k8s.List(context.Background(), &list, client.MatchingFields{"spec.owner": "alice"}); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 1 || list.Items[0].Name != "hers" {
		t.Fatalf("unexpected: %+v", list.Items)
	}
}

func TestUsersMayDoWhatTheirGroupsMay(t *testing.T) {
	admin, err := env.AddUser(envtest.User{Name: "ann", Groups: []string{"system:masters"}}, nil)
	must(err)
	asAnn, err := client.New(admin.Config(), client.Options{Scheme: scheme})
	must(err)
	if err := asAnn.List(context.Background(), &api.GardenList{}); err != nil {
		t.Fatal(err)
	}
	guest, err := env.AddUser(envtest.User{Name: "guest", Groups: []string{"visitors"}}, nil)
	must(err)
	asGuest, err := client.New(guest.Config(), client.Options{Scheme: scheme})
	must(err)
	err = asGuest.List(context.Background(), &api.GardenList{})
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), `User "guest" cannot list resource "gardens"`) {
		t.Fatalf("unexpected: %v", err)
	}
}

func TestOneManagerLeads(t *testing.T) {
	lead := func(ctx context.Context) (elected <-chan struct{}, done <-chan error) {
		short := func(d time.Duration) *time.Duration { return &d }
		mgr, err := ctrl.NewManager(config, ctrl.Options{
			Scheme:                        scheme,
			Metrics:                       metricsserver.Options{BindAddress: "0"},
			LeaderElection:                true,
			LeaderElectionID:              "gardens.example.com",
			LeaderElectionNamespace:       "default",
			LeaderElectionReleaseOnCancel: true,
			LeaseDuration:                 short(3 * time.Second),
			RenewDeadline:                 short(2 * time.Second),
			RetryPeriod:                   short(200 * time.Millisecond),
		})
		must(err)
		ended := make(chan error, 1)
		go func() { ended <- mgr.Start(ctx) }()
		return mgr.Elected(), ended
	}
	first, stopFirst := context.WithCancel(context.Background())
	second, stopSecond := context.WithCancel(context.Background())
	defer stopSecond()
	firstElected, firstDone := lead(first)
	<-firstElected
	secondElected, secondDone := lead(second)
	select {
	case <-secondElected:
		t.Fatal("two managers lead")
	case <-time.After(time.Second):
	}
	stopFirst()
	must(<-firstDone)
	select {
	case <-secondElected:
	case <-time.After(10 * time.Second):
		t.Fatal("nobody leads")
	}
	stopSecond()
	must(<-secondDone)
}
