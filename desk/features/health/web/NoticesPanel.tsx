import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { noticeTexts } from '#features/notices/notice-texts.contract.ts'
import type { NoticeKind } from '#features/notices/notices.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import { endNotice, type ActiveNotice } from '../notices.contract.ts'
import { noticesQuery } from './health.queries.ts'
import { ExtendNoticeForm, PublishNoticeForm } from './NoticeForms.tsx'
import * as s from './health.module.css'

type NoticeDialog = { say: NoticeKind | '' } | { prolong: ActiveNotice }

export function NoticesPanel({ wanted }: { wanted: NoticeKind | null }) {
  const { data, error, refetch } = useQuery(noticesQuery(useApi()))
  const [dialog, setDialog] = useState<NoticeDialog | null>(wanted && { say: wanted })
  const [message, setMessage] = useState<string | null>(null)
  const handleDone = (text: string) => {
    setDialog(null)
    setMessage(text)
    void refetch()
  }
  return (
    <Panel
      title="Notices on the portal"
      action={
        <DenseButton kind="primary" onClick={() => setDialog({ say: '' })}>
          Publish a notice
        </DenseButton>
      }
    >
      <div role="status">{message && <Banner kind="good">{message}</Banner>}</div>
      {error && !data && (
        <Unavailable what="We couldn’t load the notices." error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={2} />}
      {data?.length === 0 && <p className="muted">No notices on the portal.</p>}
      <ul className={s.list}>
        {data?.map((notice) => (
          <Notice
            key={notice.id}
            notice={notice}
            onProlong={() => setDialog({ prolong: notice })}
            onDone={handleDone}
          />
        ))}
      </ul>
      <Drawer
        title={dialog && 'prolong' in dialog ? 'Extend a notice' : 'Publish a notice'}
        open={dialog !== null}
        onClose={() => setDialog(null)}
      >
        {dialog && 'say' in dialog && <PublishNoticeForm kind={dialog.say} onDone={handleDone} />}
        {dialog && 'prolong' in dialog && <ExtendNoticeForm notice={dialog.prolong} onDone={handleDone} />}
      </Drawer>
    </Panel>
  )
}

type NoticeProps = { notice: ActiveNotice; onProlong: () => void; onDone: (text: string) => void }

function Notice({ notice: { id, kind, said, said_by, ends }, onProlong, onDone }: NoticeProps) {
  const api = useApi()
  const { zone } = useBootstrap().market
  const { title, text } = noticeTexts[kind]
  const end = useMutation({
    mutationFn: () => withFormErrors(api.call(endNotice, { params: { id } })),
    onSuccess: () => onDone('Notice ended. It disappears from the portal within 15 seconds.'),
  })
  return (
    <li className={s.notice}>
      <div>
        <p>
          <b>{title}</b> {text}
        </p>
        <p className="muted small">
          {said_by}, {formatDayAndTime(said, zone)} · ends automatically {formatDayAndTime(ends, zone)}
        </p>
        <ErrorBanner error={end.error} />
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
