import { useState } from 'react'
import { formatMoment } from '#kit/contract/format-moment.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { type MessagesView, readMessages, type SentMessage } from '../messages.contract.ts'
import * as s from './messages.module.css'

export function MessageList({ newest }: { newest: MessagesView }) {
  const api = useApi()
  const [olderPages, setOlderPages] = useState<MessagesView[]>([])
  const pages = [newest, ...olderPages]
  const next = pages.at(-1)?.next ?? null
  const loadMore = useMutation({
    mutationFn: () => api.call(readMessages, { query: { before: next ?? '' } }),
    onSuccess: ({ data }) => setOlderPages([...olderPages, data]),
  })
  return (
    <>
      <ul className={s.list}>
        {pages.flatMap(({ messages }, page) =>
          messages.map((message, at) => (
            <SentMessageItem key={message.id} message={message} isNewlyShown={page > 0 && at === 0} />
          )),
        )}
      </ul>
      <div role="alert" className={s.failure}>
        {loadMore.isError && <FailureBanner error={loadMore.error} />}
      </div>
      {next && (
        <BusyButton kind="quiet" busy={loadMore.isPending} busyText="One moment" onClick={() => void loadMore.mutate()}>
          Show more
        </BusyButton>
      )}
    </>
  )
}

const stateLabels = {
  sent: 'Sent',
  refused: 'Not delivered',
  not_needed: 'Not sent: no longer needed',
  waiting: 'Waiting to be sent',
} as const satisfies Record<SentMessage['state'], string>

function SentMessageItem({
  message: { at, by, to, about, state },
  isNewlyShown,
}: {
  message: SentMessage
  isNewlyShown: boolean
}) {
  const { market, serverTime } = useBootstrap()
  return (
    <li className={s.sent} {...(isNewlyShown && { tabIndex: -1, ref: focusElement })}>
      <p className={s.about}>{about}</p>
      <p>
        {by === 'text' ? (
          <span key="text">
            Text to <b className={s.number}>{to}</b>
          </span>
        ) : (
          <span key="email">
            Email to <EmailAddress of={to} />
          </span>
        )}
      </p>
      <p className={s.when}>
        <time dateTime={at}>{formatMoment(at, { zone: market.zone, now: serverTime })}</time>
        <span className={state === 'refused' ? s.refused : undefined}>{stateLabels[state]}</span>
      </p>
    </li>
  )
}

const focusElement = (element: HTMLElement | null): void => element?.focus()
