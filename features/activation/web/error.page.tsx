import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorsOf, sentenceOf } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { restartActivation } from '../activation.contract.ts'
import { setActivation } from './activation.queries.ts'
import { useActivation } from './wizard.ts'

/** An activation that failed: for now, when Try Again runs it on, or for good, when it starts over. */
export default function ErrorPage() {
  const api = useApi()
  const client = useQueryClient()
  const activation = useActivation()
  const restart = useMutation({
    mutationFn: () => api.call(restartActivation, { body: {} }),
    onSuccess: ({ data }) => setActivation(client, data),
  })
  const forGood = activation?.state === 'PERMANENTLY_FAILED'
  return (
    <ErrorScreen onRetry={() => restart.mutate()} busy={restart.isPending}>
      <p>
        {forGood
          ? 'You have not been charged, and nothing was activated. Try Again starts over.'
          : 'The network could not activate your SIM just now. Your payment is only reserved, and Try Again will not charge you twice.'}
      </p>
      {restart.isError && (
        <Banner kind="bad">{(errorsOf(restart.error)['__all__'] ?? []).map(sentenceOf).join(' ')}</Banner>
      )}
    </ErrorScreen>
  )
}
