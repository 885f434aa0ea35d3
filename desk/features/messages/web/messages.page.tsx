import { useApi } from '#kit/web/api.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { PageHead } from '#kit/web/desk/PageHead.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { MessageList } from '../messages.contract.ts'
import { DomainsPanel } from './DomainsPanel.tsx'
import { domainsQuery, messagesPath, messagesQuery, messagesFilterFromUrl } from './messages.queries.ts'
import { MessageTable } from './MessageTable.tsx'
import { FilterForm } from './FilterForm.tsx'
import { useResend } from './use-resend.ts'
import * as s from './messages.module.css'

const lists: Record<MessageList, { text: string; note: string }> = {
  refused: { text: 'Refused', note: 'newest first, kept for 90 days' },
  stuck: { text: 'Stuck', note: 'oldest first; sent automatically' },
}
const chips = Object.entries(lists).map(([value, { text }]) => ({ value: value as MessageList, text }))

export default function MessagesPage() {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const filter = messagesFilterFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(messagesQuery(api, filter))
  const resendMutation = useResend(() => void client.refetchQuery(domainsQuery(api)))
  const { text, note } = lists[filter.of]
  return (
    <>
      <PageHead title="Messages" />
      <DomainsPanel />
      <div role="status" className={s.status}>
        {resendMutation.said && <Banner kind="good">{resendMutation.said}</Banner>}
      </div>
      <Panel
        title={text}
        note={note}
        inset={false}
        action={
          <ChipRow
            label="Filter messages"
            chips={chips}
            value={filter.of}
            onChange={(of) => navigate(messagesPath({ ...filter, of, before: null }))}
          />
        }
      >
        <FilterForm wish={filter} />
        <ErrorBanner error={resendMutation.error} />
        {error && !data && (
          <Unavailable what="We couldn’t load the messages." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} />}
        {data && <MessageTable page={data} wish={filter} sending={resendMutation} />}
      </Panel>
    </>
  )
}
