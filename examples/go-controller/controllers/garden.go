// Package controllers plants what gardens ask for.
package controllers

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/gardens/api"
)

// Finalizer holds a garden until its rows are harvested.
const Finalizer = "example.com/harvest"

// GardenReconciler plants rows and harvests them before a garden goes.
type GardenReconciler struct {
	client.Client
	// Harvest is called once for each garden that is deleted.
	Harvest func(name string)
}

// SetupWithManager watches gardens.
func (r *GardenReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&api.Garden{}).Complete(r)
}

// Reconcile brings one garden to where its spec says.
func (r *GardenReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var garden api.Garden
	if err := r.Get(ctx, request.NamespacedName, &garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !garden.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.harvest(ctx, &garden)
	}
	if controllerutil.AddFinalizer(&garden, Finalizer) {
		return ctrl.Result{}, r.Update(ctx, &garden)
	}
	if garden.Status.ObservedGeneration == garden.Generation {
		return ctrl.Result{}, nil
	}
	garden.Status = api.GardenStatus{Planted: garden.Spec.Rows, ObservedGeneration: garden.Generation}
	return ctrl.Result{}, r.Status().Update(ctx, &garden)
}

func (r *GardenReconciler) harvest(ctx context.Context, garden *api.Garden) error {
	if !controllerutil.RemoveFinalizer(garden, Finalizer) {
		return nil
	}
	r.Harvest(garden.Name)
	return client.IgnoreNotFound(r.Update(ctx, garden))
}
