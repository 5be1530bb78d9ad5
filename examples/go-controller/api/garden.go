// Package api holds the kinds of this project.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion of everything in this package.
var GroupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Garden is what the controller looks after.
type Garden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GardenSpec   `json:"spec"`
	Status GardenStatus `json:"status,omitempty"`
}

// GardenSpec is the desired state.
type GardenSpec struct {
	Rows  int    `json:"rows"`
	Owner string `json:"owner,omitempty"`
}

// GardenStatus is what there is.
type GardenStatus struct {
	Planted            int   `json:"planted,omitempty"`
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// GardenList is a list of gardens.
type GardenList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Garden `json:"items"`
}

// DeepCopyObject makes Garden a runtime.Object.
func (g *Garden) DeepCopyObject() runtime.Object {
	copied := *g
	copied.ObjectMeta = *g.ObjectMeta.DeepCopy()
	return &copied
}

// DeepCopyObject makes GardenList a runtime.Object.
func (l *GardenList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.ListMeta = *l.ListMeta.DeepCopy()
	copied.Items = make([]Garden, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Garden)
	}
	return &copied
}

// AddToScheme tells a scheme of these kinds.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Garden{}, &GardenList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
