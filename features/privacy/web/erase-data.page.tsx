import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import type { ErasureView } from '../privacy.contract.ts'
import { EraseForm } from './EraseForm.tsx'
import { erasureQuery } from './privacy.queries.ts'
import { PendingErasure } from './PendingErasure.tsx'
import { ErasedData } from './ErasedData.tsx'
import * as s from './privacy.module.css'

export default function ErasePage() {
  const { data, error, refetch } = useQuery({ ...erasureQuery(useApi()), retryOnMount: false })
  return (
    <AccountFrame
      title="Delete Your Data"
      lead="We delete your account and data for good, one day after you ask. By law we keep your invoices."
    >
      {data && <EraseSteps erasure={data} />}
      {!data && error && (
        <Unavailable
          what="We can’t show what would be deleted right now."
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
    </AccountFrame>
  )
}

function EraseSteps({ erasure }: { erasure: ErasureView }) {
  if (erasure.waiting)
    return (
      <>
        <PendingErasure waiting={erasure.waiting} />
        <p className={s.back}>
          <Button kind="plain" href="/account/privacy/">
            Back to Privacy
          </Button>
        </p>
      </>
    )
  return (
    <>
      <ErasedData lost={erasure.lost} />
      {erasure.in_the_way.length > 0 ? (
        <Card className={s.card}>
          <Banner kind="warn" title="We can’t delete your data yet">
            {erasure.in_the_way.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Banner>
          <p className={s.back}>
            <Button kind="quiet" href="/account/privacy/">
              Back to Privacy
            </Button>
          </p>
        </Card>
      ) : (
        <EraseForm />
      )}
    </>
  )
}
