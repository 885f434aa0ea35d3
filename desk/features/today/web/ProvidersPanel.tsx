import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { StatusStrip } from '#kit/web/desk/StatusStrip.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { maxNoticeHours } from '#features/notices/notices.contract.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { Figures, ProviderStatus } from '../today.contract.ts'
import { areJobsLate, halfHourStartLabel, jobsLabel, responseTimeLabel } from './provider.labels.ts'
import { ProviderName } from './ProviderName.tsx'
import * as s from './today.module.css'

export function ProvidersPanel({ runs, at, jobs }: { runs: ProviderStatus[]; at: string; jobs: Figures['jobs'] }) {
  const { zone } = useBootstrap().market
  const failingProviders = runs.filter(({ failing_since }) => failing_since)
  const recoveredProviders = runs.filter(
    (run) => hasRecovered(run, at) && !failingProviders.some(({ notice }) => notice.kind === run.notice.kind),
  )
  return (
    <Panel title="Service status" note="last 24 hours" action={<Link href="/health/">Health</Link>}>
      <ul className={s.list}>
        {runs.map(({ service, failing_since, p95_ms, slots }) => (
          <li key={service} className={`${s.run} ${failing_since ? s.away : ''}`}>
            <span className={s.dot} aria-hidden="true" />
            <b>
              <ProviderName service={service} />
            </b>
            <StatusStrip title="Calls" slots={slots} nameOf={(slot) => halfHourStartLabel(at, slot, zone)} />
            <span className={s.took}>
              {failing_since ? 'no answer' : p95_ms === null ? 'no calls' : responseTimeLabel(p95_ms)}
            </span>
          </li>
        ))}
        <li className={`${s.run} ${areJobsLate(jobs) ? s.away : ''}`}>
          <span className={s.dot} aria-hidden="true" />
          <b>Jobs</b>
          <span className={s.oldest}>{jobsLabel(jobs)}</span>
        </li>
      </ul>
      {failingProviders.map((run) => (
        <Outage key={run.service} run={run} />
      ))}
      {recoveredProviders.map(({ service, words, last_failure }) => (
        <Banner key={service} kind="info">
          <b>{words.charAt(0).toUpperCase() + words.slice(1)} is answering again.</b> The last failure was{' '}
          {formatDayAndTime(last_failure ?? '', zone)}. The notice is still on the portal.{' '}
          <Link href="/health/">End the notice</Link>
        </Banner>
      ))}
    </Panel>
  )
}

const maxNoticeMs = maxNoticeHours * 3_600_000

const hasRecovered = ({ failing_since, last_failure: last, notice }: ProviderStatus, at: string): boolean =>
  notice.is_said && !failing_since && last !== null && Date.parse(at) - Date.parse(last) < maxNoticeMs

function Outage({ run: { words, failing_since, failures, notice } }: { run: ProviderStatus }) {
  const { zone } = useBootstrap().market
  return (
    <Banner kind="warn">
      <b>
        No answer from {words} since {formatDayAndTime(failing_since ?? '', zone)}.
      </b>{' '}
      {failures} calls failed. Waiting work continues automatically.{' '}
      {notice.is_said ? (
        <span>Customers see a notice on the portal.</span>
      ) : (
        <Link href={`/health/?say=${notice.kind}`}>Publish a notice</Link>
      )}
    </Banner>
  )
}
