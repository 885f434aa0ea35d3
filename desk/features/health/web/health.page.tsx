import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { FactStrip } from '#kit/web/desk/FactStrip.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { noticeKinds } from '#features/notices/notices.contract.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { Health } from '../health.contract.ts'
import { BrowserErrors } from './BrowserErrors.tsx'
import { healthQuery } from './health.queries.ts'
import { NoticesPanel } from './NoticesPanel.tsx'
import { Providers } from './Providers.tsx'
import { BacklogPanels } from './BacklogPanels.tsx'
import * as s from './health.module.css'

export default function HealthPage() {
  const { zone } = useBootstrap().market
  const { data, error, refetch } = useQuery(healthQuery(useApi()))
  const kindParam = new URLSearchParams(useRawLocation().search).get('say')
  const proposedKind = noticeKinds.find((kind) => kind === kindParam) ?? null
  return (
    <>
      <header className={s.head}>
        <h1>Health</h1>
        {data && <p className="muted">Updated {formatDayAndTime(data.at, zone)}</p>}
      </header>
      {/* The key resets the panel when another link proposes another notice. */}
      <NoticesPanel key={proposedKind} wanted={proposedKind} />
      {error && !data && (
        <Unavailable what="We couldn’t load the system status." error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <>
          <Providers runs={data.runs} at={data.at} />
          <BacklogPanels queues={data.queues} late={data.late} />
          <BrowserErrors errors={data.errors} />
          <Version version={data.version} />
        </>
      )}
    </>
  )
}

function Version({ version: { product, node, migration, fault } }: { version: Health['version'] }) {
  return (
    <>
      {fault && <Banner kind="bad">{fault}</Banner>}
      <FactStrip
        facts={[
          { label: 'Version', value: product },
          { label: 'Node', value: node },
          { label: 'Latest database migration', value: migration },
        ]}
      />
    </>
  )
}
