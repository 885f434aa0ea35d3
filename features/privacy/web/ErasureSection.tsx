import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { erasureQuery } from './privacy.queries.ts'
import { PendingErasure } from './PendingErasure.tsx'
import * as s from './privacy.module.css'

export function ErasureSection({ children }: { children: TextFreeNode }) {
  const { data, error, refetch } = useQuery({ ...erasureQuery(useApi()), retryOnMount: false })
  return (
    <>
      {data?.waiting && <PendingErasure waiting={data.waiting} />}
      {children}
      {data && !data.waiting && <ErasureLink />}
      {!data && error && (
        <Unavailable
          what="We can’t check right now whether your data is due to be deleted."
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && (
        <Card className={s.card}>
          <Skeleton lines={4} />
        </Card>
      )}
    </>
  )
}

function ErasureLink() {
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>Delete your data</h2>
      <p className={s.lead}>
        We delete your account, numbers and data for good. By law we keep your invoices. You have a day to change your
        mind.
      </p>
      <Button kind="quiet" className={s.act ?? ''} href="/account/privacy/erase/">
        See what’s deleted
      </Button>
    </Card>
  )
}
