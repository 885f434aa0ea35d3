import { useState } from 'react'
import type { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import type { CallAbout } from '#kit/web/desk/call-about.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { caller, callerMessages } from '../callers.contract.ts'
import { PinForm } from './PinForm.tsx'
import { WayForm } from './WayForm.tsx'
import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'

type Props = { id: string; call: CallAbout; onVerified: () => Promise<void> }

export function CallerCheck({ id, call, onVerified }: Props) {
  const api = useApi()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(callerQuery(api, id))
  const [isAnew, setAnew] = useState(false)
  const [over, setOver] = useState<string | null>(null)
  if (error && !data)
    return <Unavailable what="We couldn’t load where to send a PIN." error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={4} />
  const { asked, ways } = data

  async function onOver(failure: ApiError): Promise<void> {
    const [sentence = callerMessages.none] = (failure.body as { __all__?: string[] }).__all__ ?? []
    await client.refetchQuery(callerQuery(api, id))
    setOver(sentence)
  }
  async function onSent(): Promise<void> {
    await client.refetchQuery(callerQuery(api, id))
    setOver(null)
    setAnew(false)
  }
  return (
    <>
      {over && (
        <div role="alert">
          <Banner kind="bad">{over}</Banner>
        </div>
      )}
      {asked && !isAnew ? (
        <PinForm
          {...{ id, asked, call, onOver }}
          key={asked.until}
          onVerified={onVerified}
          onAnew={() => setAnew(true)}
        />
      ) : (
        <WayForm {...{ id, ways, call, onSent }} />
      )}
    </>
  )
}

const callerQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['caller', id],
    queryFn: async () => (await api.call(caller, { params: { id } })).data,
  })
