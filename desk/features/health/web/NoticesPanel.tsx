import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { type NoticeKind, noticeWords } from '#features/notices/notices.contract.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import { endNotice, type StandingNotice } from '../notices.contract.ts'
import { noticesQuery } from './health.queries.ts'
import { ProlongNoticeForm, SayNoticeForm } from './NoticeForms.tsx'
import * as s from './health.module.css'

type Wish = { say: NoticeKind | '' } | { prolong: StandingNotice }

export function NoticesPanel({ wanted }: { wanted: NoticeKind | null }) {
  const { data, error, refetch } = useQuery(noticesQuery(useApi()))
  const [wish, setWish] = useState<Wish | null>(wanted && { say: wanted })
  const [said, say] = useState<string | null>(null)
  const done = (words: string) => {
    setWish(null)
    say(words)
    void refetch()
  }
  return (
    <Panel
      title="Notices on the portal"
      action={
        <DenseButton kind="primary" onClick={() => setWish({ say: '' })}>
          Say so on the portal
        </DenseButton>
      }
    >
      <div role="status">{said && <Banner kind="good">{said}</Banner>}</div>
      {error && !data && (
        <Unavailable what="We couldn’t load the notices." error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={2} />}
      {data?.length === 0 && <p className="muted">No notices on the portal.</p>}
      <ul className={s.list}>
        {data?.map((notice) => (
          <Notice key={notice.id} notice={notice} onProlong={() => setWish({ prolong: notice })} onDone={done} />
        ))}
      </ul>
      <Drawer
        title={wish && 'prolong' in wish ? 'Extend a notice' : 'Say so on the portal'}
        open={wish !== null}
        onClose={() => setWish(null)}
      >
        {wish && 'say' in wish && <SayNoticeForm kind={wish.say} onDone={done} />}
        {wish && 'prolong' in wish && <ProlongNoticeForm notice={wish.prolong} onDone={done} />}
      </Drawer>
    </Panel>
  )
}

type NoticeProps = { notice: StandingNotice; onProlong: () => void; onDone: (said: string) => void }

function Notice({ notice: { id, kind, said, said_by, ends }, onProlong, onDone }: NoticeProps) {
  const api = useApi()
  const { zone } = useBootstrap().market
  const { title, text } = noticeWords[kind]
  const end = useMutation({
    mutationFn: () => inWords(api.call(endNotice, { params: { id } })),
    onSuccess: () => onDone('Notice ended. It disappears from the portal within 15 seconds.'),
  })
  return (
    <li className={s.notice}>
      <div>
        <p>
          <b>{title}</b> {text}
        </p>
        <p className="muted small">
          {said_by}, {minuteOf(said, zone)} · ends automatically {minuteOf(ends, zone)}
        </p>
        <Failure error={end.error} />
      </div>
      <DenseButton small label={`Extend: ${title}`} onClick={onProlong}>
        Extend
      </DenseButton>
      <DenseButton
        small
        label={`End now: ${title}`}
        aria-busy={end.isPending || undefined}
        onClick={() => end.isPending || void end.mutate()}
      >
        End now
      </DenseButton>
    </li>
  )
}
