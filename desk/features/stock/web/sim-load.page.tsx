import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { Load } from '../sim-loads.contract.ts'
import { BadLines } from './BadLines.tsx'
import { SimLoadDecision } from './SimLoadDecision.tsx'
import { pluralize, formatCount } from './count.labels.ts'
import { simLoadLabel, simLoadName } from './sim-load.labels.ts'
import { SimLoadSteps } from './SimLoadSteps.tsx'
import { badLinesFilterFromUrl, simLoadQuery } from './stock.queries.ts'
import * as s from './stock.module.css'

export default function LoadPage({ params: { id = '' } }: PageProps) {
  const { search } = useRawLocation()
  const filter = badLinesFilterFromUrl(search)
  const { data, error, refetch } = useQuery(simLoadQuery(useApi(), id, filter))
  if (!data)
    return error ? (
      <>
        <h1>Load {id}</h1>
        <Unavailable what="We couldn’t load this page." error={error} onRetry={() => void refetch()} />
      </>
    ) : (
      <Skeleton lines={8} />
    )
  const { load, kinds, bad, next } = data
  const isDuplicateSimLoad = new URLSearchParams(search).has('known')
  return (
    <>
      <SimLoadHeader load={load} />
      <div role="status">
        {isDuplicateSimLoad && (
          <Banner kind="info">
            This same file was uploaded before.{' '}
            {load.state === 'loaded' ? 'It is already loaded' : 'This page shows that upload'}, so we did not start a
            new one.
          </Banner>
        )}
      </div>
      <Panel title="Progress" foot={<SimLoadDecision load={load} onDecided={() => void refetch()} />}>
        <SimLoadSteps load={load} />
        <p className={s.figures}>
          <span>
            <b>{formatCount(load.lines)}</b> {load.lines === 1 ? 'line' : 'lines'}
          </span>
          <span className={s.good}>
            <b>{formatCount(load.good)}</b> good
          </span>
          <span className={load.bad > 0 ? s.bad : ''}>
            <b>{formatCount(load.bad)}</b> bad
          </span>
          {load.loaded > 0 && (
            <span>
              <b>{formatCount(load.loaded)}</b> loaded
            </span>
          )}
        </p>
      </Panel>
      {kinds.length > 0 && <BadLines load={load} kinds={kinds} bad={bad} next={next} place={filter} />}
    </>
  )
}

function SimLoadHeader({ load }: { load: Load }) {
  const { zone } = useBootstrap().market
  const { text, tone } = simLoadLabel(load)
  return (
    <header className={s.title}>
      <nav aria-label="Breadcrumb" className="muted">
        <Link href="/stock/">Stock</Link>
      </nav>
      <div className={s.head}>
        <h1>{simLoadName(load)}</h1>
        <TonePill tone={tone}>{text}</TonePill>
        <p className="muted">
          {load.by}, {formatDayAndTime(load.created, zone)} · {pluralize(load.lines, 'line', 'lines')}
        </p>
      </div>
    </header>
  )
}
