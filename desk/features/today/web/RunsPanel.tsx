import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Strip } from '#kit/web/desk/Strip.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { longestNoticeHours } from '#features/notices/notices.contract.ts'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import type { Figures, Run } from '../today.contract.ts'
import { areJobsLate, halfHourName, jobsWords, tookWords } from './run-words.ts'
import { RunName } from './RunName.tsx'
import * as s from './today.module.css'

export function RunsPanel({ runs, at, jobs }: { runs: Run[]; at: string; jobs: Figures['jobs'] }) {
  const { zone } = useBootstrap().market
  const away = runs.filter(({ failing_since }) => failing_since)
  const back = runs.filter((run) => isBack(run, at) && !away.some(({ notice }) => notice.kind === run.notice.kind))
  return (
    <Panel title="How we run" note="last 24 hours" action={<Link href="/health/">Health</Link>}>
      <ul className={s.list}>
        {runs.map(({ service, failing_since, p95_ms, slots }) => (
          <li key={service} className={`${s.run} ${failing_since ? s.away : ''}`}>
            <span className={s.dot} aria-hidden="true" />
            <b>
              <RunName service={service} />
            </b>
            <Strip title="Calls" slots={slots} nameOf={(slot) => halfHourName(at, slot, zone)} />
            <span className={s.took}>
              {failing_since ? 'no answer' : p95_ms === null ? 'no calls' : tookWords(p95_ms)}
            </span>
          </li>
        ))}
        <li className={`${s.run} ${areJobsLate(jobs) ? s.away : ''}`}>
          <span className={s.dot} aria-hidden="true" />
          <b>Jobs</b>
          <span className={s.oldest}>{jobsWords(jobs)}</span>
        </li>
      </ul>
      {away.map((run) => (
        <Outage key={run.service} run={run} />
      ))}
      {back.map(({ service, words, last_failure }) => (
        <Banner key={service} kind="info">
          <b>{words.charAt(0).toUpperCase() + words.slice(1)} is answering again.</b> The last failure was{' '}
          {minuteOf(last_failure ?? '', zone)}. The notice is still on the portal.{' '}
          <Link href="/health/">End the notice</Link>
        </Banner>
      ))}
    </Panel>
  )
}

const longestMs = longestNoticeHours * 3_600_000

const isBack = ({ failing_since, last_failure: last, notice }: Run, at: string): boolean =>
  notice.is_said && !failing_since && last !== null && Date.parse(at) - Date.parse(last) < longestMs

function Outage({ run: { words, failing_since, failures, notice } }: { run: Run }) {
  const { zone } = useBootstrap().market
  return (
    <Banner kind="warn">
      <b>
        No answer from {words} since {minuteOf(failing_since ?? '', zone)}.
      </b>{' '}
      {failures} calls failed. Waiting work continues automatically.{' '}
      {notice.is_said ? (
        <span>Customers see a notice on the portal.</span>
      ) : (
        <Link href={`/health/?say=${notice.kind}`}>Say so on the portal</Link>
      )}
    </Banner>
  )
}
