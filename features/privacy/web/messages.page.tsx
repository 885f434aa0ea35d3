import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { MessageList } from './MessageList.tsx'
import { newestMessagesQuery } from './messages.queries.ts'
import * as s from './messages.module.css'

export default function MessagesPage() {
  const { data, error, refetch } = useQuery({ ...newestMessagesQuery(useApi()), retryOnMount: false })
  return (
    <AccountFrame
      title="What We Sent You"
      lead="Every email and text about your account, and where we sent it. We delete each one after 90 days."
    >
      {!data && error ? (
        <Unavailable what="Your messages can’t be loaded right now." error={error} onRetry={() => void refetch()} />
      ) : (
        <Card>
          {!data && <Skeleton lines={12} />}
          {data?.messages.length === 0 && <p className={s.none}>We haven’t sent you anything in the last 90 days.</p>}
          {/* New messages shift the page boundaries, so the list starts again. */}
          {data && data.messages.length > 0 && <MessageList key={data.next} newest={data} />}
        </Card>
      )}
      <p className={s.back}>
        <Button kind="plain" href="/account/privacy/">
          Back to Privacy
        </Button>
      </p>
    </AccountFrame>
  )
}
