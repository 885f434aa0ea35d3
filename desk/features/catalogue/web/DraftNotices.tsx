import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { DraftPage } from '../catalogue.contract.ts'
import { timeLabel } from './catalogue.labels.ts'
import * as s from './catalogue.module.css'

export function DraftNotices({ shown, said }: { shown: DraftPage; said: string | null }) {
  const { zone } = useBootstrap().market
  const { draft, asked, worse, better, waiting } = shown
  const version = draft.published_as
  return (
    <Notices said={said && <Banner kind="good">{said}</Banner>}>
      {version !== null && (
        <Banner kind="good">
          This draft was published as <Link href={`/catalogue/versions/${version}/`}>version {version}</Link>.
        </Banner>
      )}
      {version === null && asked && <PendingRequest asked={asked} zone={zone} />}
      {version === null && better.length > 0 && (
        <ApprovalNeededNotice
          why="something gets cheaper or larger by more than 20%."
          items={better}
          note="We compare it with the last catalogue that two people approved. Changes of up to 20% need no approval."
        />
      )}
      {version === null && worse.length > 0 && (
        <ApprovalNeededNotice why="something gets more expensive or smaller." items={worse} />
      )}
      {version === null &&
        waiting.map(({ number, from }) => (
          <Banner key={number} kind="info">
            <Link href={`/catalogue/versions/${number}/`}>Version {number}</Link> goes on sale on{' '}
            {timeLabel(from, zone)} and then replaces everything on sale.
          </Banner>
        ))}
    </Notices>
  )
}

function ApprovalNeededNotice({ why, items, note }: { why: string; items: readonly string[]; note?: string }) {
  return (
    <Banner kind="warn" icon="user" title={`This draft needs approval: ${why}`}>
      <ul className={s.fields}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      {note && <p>{note}</p>}
    </Banner>
  )
}

function PendingRequest({ asked, zone }: { asked: NonNullable<DraftPage['asked']>; zone: string }) {
  if (asked.is_stale)
    return (
      <Banner key="changed" kind="warn">
        {asked.by} requested approval of an earlier version of this draft, or for a time that has passed. Make a new
        request.
      </Banner>
    )
  return (
    <Banner kind="info">
      {asked.by} requested approval to publish it {asked.from ? `on ${timeLabel(asked.from, zone)}` : 'immediately'}.
      The request expires in {durationLabel(asked.left_seconds)}. <Link href="/">See the request on Today</Link>
    </Banner>
  )
}
