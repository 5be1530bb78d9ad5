//! Watch, server-side apply and status with kube, against any server of $KUBECONFIG.

use futures::{StreamExt, TryStreamExt};
use kube::api::{ListParams, Patch, PatchParams, WatchEvent, WatchParams};
use kube::{Api, Client, CustomResource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::error::Error;

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Garden", namespaced, status = "GardenStatus")]
struct GardenSpec {
    beds: i32,
    season: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct GardenStatus {
    blooming: Option<bool>,
}

fn blooms(garden: &Garden) -> bool {
    garden.status.as_ref().and_then(|status| status.blooming).unwrap_or(false)
}

/// Tends what comes: a controller in miniature.
async fn tend(gardens: Api<Garden>, since: String) -> Result<(), kube::Error> {
    let mut events = gardens.watch(&WatchParams::default().timeout(60), &since).await?.boxed();
    while let Some(event) = events.try_next().await? {
        let (action, garden) = match event {
            WatchEvent::Added(garden) => ("ADDED", garden),
            WatchEvent::Modified(garden) => ("MODIFIED", garden),
            _ => continue,
        };
        let blooming = blooms(&garden);
        println!("{action} {}: blooming {blooming}", garden.name_any());
        if blooming {
            break;
        }
        let status = Patch::Merge(json!({ "status": { "blooming": true } }));
        gardens.patch_status(&garden.name_any(), &PatchParams::default(), &status).await?;
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let gardens: Api<Garden> = Api::namespaced(Client::try_default().await?, "default");
    // The watch begins where the list ended.
    let listed = gardens.list(&ListParams::default()).await?;
    let since = listed.metadata.resource_version.unwrap_or_default();
    let tending = tokio::spawn(tend(gardens.clone(), since));

    let garden = Patch::Apply(json!({
        "apiVersion": "example.com/v1",
        "kind": "Garden",
        "metadata": { "name": "rust" },
        "spec": { "beds": 3 },
    }));
    let applied = gardens.patch("rust", &PatchParams::apply("gardener"), &garden).await?;
    println!("applied rust: season {}", applied.spec.season.unwrap_or_default());
    tending.await??;

    let done = gardens.get("rust").await?;
    println!("generation {}, blooming {}", done.metadata.generation.unwrap_or(0), blooms(&done));
    Ok(())
}
