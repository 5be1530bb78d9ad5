// Asks Kubernetes' RBAC what it decides: whether requests are allowed and why, what keeps a user from granting rules, and
// which rules an aggregated role is given. Rewrites the answers of a file. A module of its own, as it wants k8s.io/kubernetes.
//
//	go run . ../../../test/access/go-rbac.test-data.jsonl
package main

import (
	"context"
	"encoding/json"
	"os"
	"sort"
	"strings"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/informers"
	fakeclient "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

type resource struct {
	Group       string `json:"group"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	Name        string `json:"name"`
}

type request struct {
	User     string    `json:"user"`
	Groups   []string  `json:"groups"`
	Verb     string    `json:"verb"`
	Resource *resource `json:"resource,omitempty"`
	Path     string    `json:"path,omitempty"`
	// The reason, empty if it is not allowed.
	Allowed string `json:"allowed,omitempty"`
	// The text for a request that is not allowed.
	Denied string `json:"denied,omitempty"`
}

type question struct {
	Ask       string            `json:"ask"`
	Name      string            `json:"name"`
	Objects   []json.RawMessage `json:"objects"`
	Requests  []request         `json:"requests,omitempty"`
	User      string            `json:"user,omitempty"`
	Groups    []string          `json:"groups,omitempty"`
	Namespace string            `json:"namespace,omitempty"`
	Rules     json.RawMessage   `json:"rules,omitempty"`
	Role      string            `json:"role,omitempty"`
	// What keeps the user from granting the rules.
	Refused string `json:"refused,omitempty"`
	// What is applied to the role; absent where nothing is.
	Applied json.RawMessage `json:"applied,omitempty"`
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// The roles and bindings of a question, in the order of their names: upstream's caches have none.
type world struct {
	clusterRoles        []*rbacv1.ClusterRole
	roles               []*rbacv1.Role
	clusterRoleBindings []*rbacv1.ClusterRoleBinding
	roleBindings        []*rbacv1.RoleBinding
}

func worldOf(objects []json.RawMessage) *world {
	w := &world{}
	for _, raw := range objects {
		var kind struct{ Kind string }
		must(json.Unmarshal(raw, &kind))
		switch kind.Kind {
		case "ClusterRole":
			w.clusterRoles = append(w.clusterRoles, decoded[rbacv1.ClusterRole](raw))
		case "Role":
			w.roles = append(w.roles, decoded[rbacv1.Role](raw))
		case "ClusterRoleBinding":
			w.clusterRoleBindings = append(w.clusterRoleBindings, decoded[rbacv1.ClusterRoleBinding](raw))
		case "RoleBinding":
			w.roleBindings = append(w.roleBindings, decoded[rbacv1.RoleBinding](raw))
		}
	}
	sort.Slice(w.clusterRoleBindings, func(i, j int) bool { return w.clusterRoleBindings[i].Name < w.clusterRoleBindings[j].Name })
	sort.Slice(w.roleBindings, func(i, j int) bool { return w.roleBindings[i].Name < w.roleBindings[j].Name })
	return w
}

func decoded[T any](raw json.RawMessage) *T {
	value := new(T)
	must(json.Unmarshal(raw, value))
	return value
}

func (w *world) GetRole(_ context.Context, namespace, name string) (*rbacv1.Role, error) {
	for _, role := range w.roles {
		if role.Namespace == namespace && role.Name == name {
			return role, nil
		}
	}
	return nil, errors.NewNotFound(rbacv1.Resource("role"), name)
}

func (w *world) GetClusterRole(_ context.Context, name string) (*rbacv1.ClusterRole, error) {
	for _, role := range w.clusterRoles {
		if role.Name == name {
			return role, nil
		}
	}
	return nil, errors.NewNotFound(rbacv1.Resource("clusterrole"), name)
}

func (w *world) ListRoleBindings(_ context.Context, namespace string) ([]*rbacv1.RoleBinding, error) {
	var found []*rbacv1.RoleBinding
	for _, binding := range w.roleBindings {
		if binding.Namespace == namespace {
			found = append(found, binding)
		}
	}
	return found, nil
}

func (w *world) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	return w.clusterRoleBindings, nil
}

func decide(w *world, asked *request) {
	attributes := authorizer.AttributesRecord{
		User: &user.DefaultInfo{Name: asked.User, Groups: asked.Groups},
		Verb: asked.Verb,
		Path: asked.Path,
	}
	if asked.Resource != nil {
		attributes.ResourceRequest = true
		attributes.APIGroup = asked.Resource.Group
		attributes.Resource = asked.Resource.Resource
		attributes.Subresource = asked.Resource.Subresource
		attributes.Namespace = asked.Resource.Namespace
		attributes.Name = asked.Resource.Name
	}
	decision, reason, _ := rbac.New(w, w, w, w).Authorize(context.Background(), attributes)
	asked.Allowed, asked.Denied = "", ""
	if decision == authorizer.DecisionAllow {
		asked.Allowed = reason
	} else {
		asked.Denied = reason
	}
}

func confirm(w *world, asked *question) {
	ctx := genericrequest.WithUser(context.Background(), &user.DefaultInfo{Name: asked.User, Groups: asked.Groups})
	ctx = genericrequest.WithNamespace(ctx, asked.Namespace)
	var rules []rbacv1.PolicyRule
	must(json.Unmarshal(asked.Rules, &rules))
	asked.Refused = ""
	if err := validation.ConfirmNoEscalation(ctx, validation.NewDefaultRuleResolver(w, w, w, w), rules); err != nil {
		asked.Refused = err.Error()
	}
}

// Runs the controller until it is idle: until its first write, or for a moment.
func aggregate(w *world, asked *question) {
	var objects []runtime.Object
	for _, role := range w.clusterRoles {
		objects = append(objects, role)
	}
	client := fakeclient.NewClientset(objects...)
	applied := make(chan []byte, 10)
	client.PrependReactor("patch", "clusterroles", func(action clienttesting.Action) (bool, runtime.Object, error) {
		applied <- action.(clienttesting.PatchAction).GetPatch()
		return true, nil, nil
	})
	factory := informers.NewSharedInformerFactory(client, 0)
	controller := clusterroleaggregation.NewClusterRoleAggregation(factory.Rbac().V1().ClusterRoles(), client.RbacV1())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go controller.Run(ctx, 1)
	asked.Applied = nil
	select {
	case patch := <-applied:
		asked.Applied = json.RawMessage(strings.TrimSpace(string(patch)))
	case <-time.After(500 * time.Millisecond):
	}
}

func main() {
	file := os.Args[1]
	data, err := os.ReadFile(file)
	must(err)
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var asked question
		must(json.Unmarshal([]byte(line), &asked))
		w := worldOf(asked.Objects)
		switch asked.Ask {
		case "decide":
			for index := range asked.Requests {
				decide(w, &asked.Requests[index])
			}
		case "confirm":
			confirm(w, &asked)
		case "aggregate":
			aggregate(w, &asked)
		}
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		must(encoder.Encode(asked))
	}
	must(os.WriteFile(file, []byte(out.String()), 0o644))
}
