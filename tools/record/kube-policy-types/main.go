// Prints what upstream's controller of ValidatingAdmissionPolicies writes into the status of each policy of a kube-apiserver, by name.
//
//	go run ./kube-policy-types URL CERT KEY
package main

import (
	"context"
	"encoding/json"
	"os"
	"regexp"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// Upstream makes the names of types unique by the time.
var uniqueNames = regexp.MustCompile(`\b([A-Z][A-Za-z]*)\d{12,}`)

func main() {
	url, cert, key := os.Args[1], os.Args[2], os.Args[3]
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host:            url,
		QPS:             1000,
		Burst:           1000,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true, CertFile: cert, KeyFile: key},
	})
	must(err)
	groups, err := restmapper.GetAPIGroupResources(client.Discovery())
	must(err)
	checker := validating.TypeChecker{
		SchemaResolver: &resolver.ClientDiscoveryResolver{Discovery: client.Discovery()},
		RestMapper:     restmapper.NewDiscoveryRESTMapper(groups),
	}
	policies, err := client.AdmissionregistrationV1().ValidatingAdmissionPolicies().List(context.Background(), metav1.ListOptions{})
	must(err)
	answers := map[string][]v1.ExpressionWarning{}
	for i := range policies.Items {
		policy := &policies.Items[i]
		warnings := checker.Check(policy)
		for j := range warnings {
			warnings[j].Warning = uniqueNames.ReplaceAllString(warnings[j].Warning, "$1")
		}
		answers[policy.Name] = warnings
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(answers))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
