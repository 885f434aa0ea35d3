import { useRef, useState, useSyncExternalStore } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { Switch } from '#kit/web/form/Switch.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { saveMarketingChoice, type MarketingView, privacyMessages } from '../privacy.contract.ts'
import { marketingQuery } from './privacy.queries.ts'
import * as s from './privacy.module.css'

export function MarketingChoice() {
  const { data, error, refetch } = useQuery({ ...marketingQuery(useApi()), retryOnMount: false })
  if (!data && error)
    return (
      <Unavailable
        what="We can’t load your choice about offers right now."
        error={error}
        onRetry={() => void refetch()}
      />
    )
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>Plans and offers by email</h2>
      {data ? <MarketingSwitch {...data} /> : <Skeleton lines={3} />}
    </Card>
  )
}

/**
 * Saves each change to the marketing preference at once. A change that could not be saved stays selected, so that the
 * customer can try again.
 */
function MarketingSwitch({ agreed, words }: MarketingView) {
  const api = useApi()
  const client = useQueryClient()
  const isHydrated = useIsHydrated()
  const [isOn, setOn] = useState(agreed)
  const choiceToSave = useRef(agreed)
  const saveMutation = useMutation({
    mutationFn: () => api.call(saveMarketingChoice, { body: { agreed: choiceToSave.current } }),
    onSuccess: ({ data }) => client.setQueryData(marketingQuery(api).queryKey, data),
  })
  function setConsent(on: boolean): void {
    if (saveMutation.isPending) return
    choiceToSave.current = on
    setOn(on)
    void saveMutation.mutate()
  }
  return (
    <>
      <Switch label={words} isOn={isOn} disabled={!isHydrated} onChange={setConsent} />
      <p className={s.besides}>We’ll always email you about your plans, payments and account.</p>
      <p role="status" className={s.saved}>
        {saveMutation.isPending && <span>Saving…</span>}
        {saveMutation.isSuccess && (
          <>
            <Icon name="check" /> <span>{privacyMessages.saved}</span>
          </>
        )}
      </p>
      <div role="alert" className={s.failure}>
        {saveMutation.isError && <FailureBanner error={saveMutation.error} />}
      </div>
      {saveMutation.isError && (
        <Button kind="quiet" className={s.act ?? ''} onClick={() => setConsent(isOn)}>
          Try Again
        </Button>
      )}
    </>
  )
}

/** Returns `false` on the server and until hydration. A click before then would have no effect. */
const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
