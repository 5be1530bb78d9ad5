// The suite of a project as kubebuilder lays it out: nothing in it knows what KUBEBUILDER_ASSETS points to.
package controllers_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"example.com/gardens/api"
	"example.com/gardens/controllers"
)

var (
	env       *envtest.Environment
	config    *rest.Config
	k8s       client.Client
	scheme    = runtime.NewScheme()
	harvested sync.Map
)

func TestMain(m *testing.M) {
	os.Exit(runSuite(m))
}

func runSuite(m *testing.M) int {
	ctrl.SetLogger(logr.Discard())
	must(clientgoscheme.AddToScheme(scheme))
	must(api.AddToScheme(scheme))
	env = &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("..", "config", "crd")},
		ErrorIfCRDPathMissing: true,
	}
	started := time.Now()
	var err error
	config, err = env.Start()
	must(err)
	fmt.Printf("envtest was ready after %d ms\n", time.Since(started).Milliseconds())
	defer func() { must(env.Stop()) }()

	k8s, err = client.New(config, client.Options{Scheme: scheme})
	must(err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- startManager(ctx) }()
	code := m.Run()
	stop()
	must(<-done)
	return code
}

// startManager runs the controller as it would run in a cluster.
func startManager(ctx context.Context) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	reconciler := &controllers.GardenReconciler{
		Client:  mgr.GetClient(),
		Harvest: func(name string) { harvested.Store(name, true) },
	}
	if err := reconciler.SetupWithManager(mgr); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not happen: %s", what)
		}
	}
}
