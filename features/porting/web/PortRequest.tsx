import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { UnavailableLine } from '#kit/web/widgets/UnavailableLine.tsx'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { type LastPort, portService } from '../port-service.contract.ts'
import { portingFormSchemas } from '../porting.contract.ts'
import { FixOneField } from './FixOneField.tsx'
import { donorsQuery, noteTransfer } from './porting.queries.ts'
import { PortingForm, portingAnswers, portingBody } from './PortingForm.tsx'
import { startOf } from './transfer-times.ts'
import { fieldOf, useMarkedField } from './use-marked-field.ts'
import * as s from './port.module.css'

const names = ['msisdn', 'provider', 'billing_method', 'prepaid_sim_number', 'account_number'] as const

type Props = { uuid: string; home: string; last: LastPort | null; failed: PortingRequestView | null }

export function PortRequest({ uuid, home, last, failed }: Props) {
  const [opened, setOpened] = useState(false)
  const { data, isError, refetch } = useQuery(donorsQuery(useApi()))
  const initial = portingAnswers(last)
  const form = useRequest({ uuid, home, initial })
  const field = fieldOf(failed?.reason)
  useMarkedField(form, { last, failed, donors: data?.providers })
  // Fields with other errors, or with changes restored after a reload, must be visible.
  const isOneField =
    field !== undefined &&
    last !== null &&
    !opened &&
    // Errors of hidden fields appear in `__all__`.
    !form.errors['__all__'] &&
    names.every((name) => name === field || (form.values[name] === initial[name] && !form.errors[name]))
  const hint =
    !data &&
    (isError ? (
      <UnavailableLine
        what="Our list of providers didn’t load."
        control={form.field('provider').id}
        onRetry={() => void refetch()}
      />
    ) : (
      'Loading the providers…'
    ))
  return (
    <>
      <LookedAt from={data?.looked_at_from ?? null} />
      {isOneField && failed ? (
        <FixOneField
          form={form}
          donor={failed.donor}
          sentAt={failed.requested_at}
          back={home}
          onEdit={() => setOpened(true)}
        />
      ) : (
        <PortingForm
          form={form}
          donors={data?.providers ?? []}
          donorsHint={hint}
          submitText="Port Number"
          back={home}
          backText="Cancel"
        />
      )}
    </>
  )
}

function useRequest({
  uuid,
  home,
  initial,
}: {
  uuid: string
  home: string
  initial: ReturnType<typeof portingAnswers>
}) {
  const api = useApi()
  const { market } = useBootstrap()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useForm({
    schema: portingFormSchemas[market.phoneRegion],
    initial,
    draftKey: `port-${uuid}`,
    submit: (values) => api.call(portService, { params: { uuid }, body: portingBody(values) }),
    onSuccess() {
      noteTransfer(client, uuid)
      navigate(`${home}port/success/`)
    },
  })
}

function LookedAt({ from }: { from: string | null }) {
  const { market, serverTime } = useBootstrap()
  if (!from) return null
  return (
    <div className={s.why}>
      <Banner kind="info" icon="clock" title="Providers are closed now">
        You can send your request now, and they’ll look at it from{' '}
        {startOf(from, { zone: market.zone, now: serverTime })}. Your number stays with your current provider until
        then.
      </Banner>
    </div>
  )
}
