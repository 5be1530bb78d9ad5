import { PageHead } from '../app/page-head.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { AboutPanel } from './about-panel.tsx';
import { AccessPanel } from './access-panel.tsx';
import { AdmissionPanel } from './admission-panel.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { followMetrics } from './metrics-feed.ts';
import { MetricsPanel } from './metrics-panel.tsx';
import { RequestsPanel } from './requests-panel.tsx';

/** What the server does at the moment, and who may do what. */
export function ServerPage() {
  useWhileShown((signal) => void followMetrics(signal), []);
  return (
    <>
      <PageHead title="Server" />
      <div class="server">
        <Tabs
          label="About the server"
          tabs={[
            { id: 'requests', label: 'Requests', content: () => <RequestsPanel /> },
            { id: 'admission', label: 'Webhooks and policies', content: () => <AdmissionPanel /> },
            { id: 'faults', label: 'Faults', content: () => <FaultsPanel /> },
            { id: 'access', label: 'Who may what', content: () => <AccessPanel /> },
            { id: 'audit', label: 'Audit', content: () => <AuditPanel /> },
            { id: 'about', label: 'Storage and controllers', content: () => <AboutPanel /> },
            { id: 'metrics', label: 'Metrics', content: () => <MetricsPanel /> },
          ]}
        />
      </div>
    </>
  );
}
