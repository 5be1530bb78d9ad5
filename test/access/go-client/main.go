// Asks a server as the user of a kubeconfig for what belongs to others, by client-go's clients, and prints what each call was
// told, as JSON: `{"list": "widgets.example.com is forbidden: ...", "own": "ok 2"}`.
//
//	go run . KUBECONFIG NAMESPACE_OF_OTHERS OWN_NAMESPACE
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func told(err error) string {
	if err == nil {
		return "ok"
	}
	if errors.IsForbidden(err) {
		return err.Error()
	}
	return fmt.Sprintf("not forbidden: %v", err)
}

// The errors of an informer's first list, or how many objects it has seen.
func inform(client dynamic.Interface, namespace string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
	informer := factory.ForResource(widgets).Informer()
	failed := make(chan error, 100)
	must(informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { failed <- err }))
	factory.Start(ctx.Done())
	synced := make(chan bool, 1)
	go func() { synced <- cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) }()
	select {
	case err := <-failed:
		return told(err)
	case <-synced:
		return fmt.Sprintf("ok %d", len(informer.GetStore().List()))
	}
}

func main() {
	theirs, own := os.Args[2], os.Args[3]
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	config.WarningHandler = rest.NoWarnings{}
	objects := dynamic.NewForConfigOrDie(config)
	typed := kubernetes.NewForConfigOrDie(config)
	tables := metadata.NewForConfigOrDie(config)
	ctx := context.Background()
	plan := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "plan"}, "spec": map[string]any{"size": int64(9)},
	}}
	at := objects.Resource(widgets).Namespace(theirs)
	answers := map[string]string{}
	ask := func(name string, err error) { answers[name] = told(err) }

	_, err = at.List(ctx, metav1.ListOptions{})
	ask("list", err)
	_, err = objects.Resource(widgets).List(ctx, metav1.ListOptions{Limit: 1})
	ask("list of all namespaces", err)
	_, err = at.Get(ctx, "plan", metav1.GetOptions{})
	ask("get", err)
	_, err = at.Get(ctx, "plan", metav1.GetOptions{}, "scale")
	ask("get scale", err)
	_, err = at.Watch(ctx, metav1.ListOptions{})
	ask("watch", err)
	_, err = at.Create(ctx, plan, metav1.CreateOptions{})
	ask("create", err)
	_, err = at.Update(ctx, plan, metav1.UpdateOptions{})
	ask("update", err)
	_, err = at.UpdateStatus(ctx, plan, metav1.UpdateOptions{})
	ask("update status", err)
	_, err = at.Apply(ctx, "plan", plan, metav1.ApplyOptions{FieldManager: "bob", Force: true})
	ask("apply with force", err)
	_, err = at.Patch(ctx, "plan", types.JSONPatchType, []byte(`[]`), metav1.PatchOptions{})
	ask("patch", err)
	ask("delete", at.Delete(ctx, "plan", metav1.DeleteOptions{}))
	ask("deletecollection", at.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	_, err = tables.Resource(widgets).Namespace(theirs).List(ctx, metav1.ListOptions{})
	ask("metadata", err)
	_, err = typed.CoreV1().ConfigMaps(theirs).Get(ctx, "plan", metav1.GetOptions{})
	ask("config map, in protobuf or JSON", err)
	_, err = typed.CoreV1().ServiceAccounts(theirs).CreateToken(ctx, "default", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	ask("token", err)
	answers["informer"] = inform(objects, theirs)

	as := rest.CopyConfig(config)
	as.Impersonate = rest.ImpersonationConfig{UserName: "alice"}
	_, err = dynamic.NewForConfigOrDie(as).Resource(widgets).Namespace(theirs).List(ctx, metav1.ListOptions{})
	ask("as alice", err)

	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: theirs, Verb: "get", Group: "example.com", Resource: "widgets"},
	}}
	reviewed, err := typed.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	must(err)
	answers["may I"] = fmt.Sprint(reviewed.Status.Allowed)
	answers["own informer"] = inform(objects, own)
	must(json.NewEncoder(os.Stdout).Encode(answers))
}
