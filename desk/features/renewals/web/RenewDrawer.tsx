import { formatDate } from '#kit/contract/dates.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import type { SendApiRequest } from '#kit/web/desk/send-api-request.ts'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { CallerCheck } from '#desk/features/caller-verification/web/CallerCheck.tsx'
import { ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { type RenewalOffer, readRenewalOffer } from '../renewals.contract.ts'
import { buildChargeSentences, planName } from './charge.labels.ts'
import { useRenewalForm } from './use-renewal-form.ts'
import * as s from './renewals.module.css'
import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'

type Props = {
  id: string
  service: string | null
  isVerified: boolean
  call: SendApiRequest
  onVerified: () => Promise<void>
  onClose: () => void
}

export function RenewDrawer({ id, service, isVerified, call, onVerified, onClose }: Props) {
  return (
    <Drawer title="Renew plan" open={service !== null} onClose={onClose}>
      {service !== null && !isVerified && (
        <>
          <p className={s.first}>
            Please verify the caller first, because renewing charges their card or uses up a voucher.
          </p>
          <CallerCheck {...{ id, call, onVerified }} />
        </>
      )}
      {service !== null && isVerified && <RenewalOfferPanel {...{ id, service, call }} />}
    </Drawer>
  )
}

type ServiceProps = { id: string; service: string; call: SendApiRequest }

function RenewalOfferPanel({ id, service, call }: ServiceProps) {
  const { zone } = useBootstrap().market
  const { data, error, refetch } = useQuery(offerQuery(useApi(), id, service))
  if (error && !data)
    return <Unavailable what="We couldn’t load the renewal options." error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const { next, number } = data
  if (next)
    return (
      <p>
        The next plan for {number}, {next.title}, is already paid for and starts on {formatDate(next.starts, zone)}. The
        customer can change or cancel it in the portal.
      </p>
    )
  return <RenewForm {...{ id, service, call }} offer={data} />
}

function RenewForm({ id, service, call, offer }: ServiceProps & { offer: RenewalOffer }) {
  const { zone } = useBootstrap().market
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { form, chosen } = useRenewalForm({
    id,
    service,
    offer,
    call,
    onOrdered: (code) => navigate(`/orders/${code}/`),
    onStale: () => void client.refetchQuery(offerQuery(api, id, service)),
  })
  const { pay, starts } = form.values
  const isPaidByCard = pay === 'saved_card'
  const hasLaterStart = starts === 'at_end' && !offer.plan.is_over
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <PaymentSourceField form={form} offer={offer} />
      <PlanOrCodeField form={form} offer={offer} />
      {!offer.plan.is_over && (
        <ChoiceField
          form={form}
          name="starts"
          legend="Start"
          options={[
            { value: 'at_end', label: `When the current plan ends, on ${formatDate(offer.plan.ends, zone)}` },
            { value: 'now', label: 'Now, replacing the current plan' },
          ]}
        />
      )}
      <ConsequenceList
        items={buildChargeSentences({
          offer,
          pay: isPaidByCard ? pay : 'voucher',
          plan: chosen,
          isLater: hasLaterStart,
          zone,
        })}
      />
      {isPaidByCard && chosen && (
        <TextField
          form={form}
          name="amount"
          label={`Type the amount to be charged: ${formatPriceWithCommas(decimalToCents(chosen.price))}`}
          inputMode="decimal"
          autoComplete="off"
        />
      )}
      <ReasonFields form={form} />
      <SubmitButton form={form} wide pendingText="Renewing">
        Renew
      </SubmitButton>
    </form>
  )
}

type Form = ReturnType<typeof useRenewalForm>['form']

function PaymentSourceField({ form, offer: { saved_card: card, number } }: { form: Form; offer: RenewalOffer }) {
  if (!card)
    return (
      <p className={s.lead}>
        For {number}. There is no saved card, so you can only use a voucher. Customers enter cards themselves in the
        portal.
      </p>
    )
  return (
    <ChoiceField
      form={form}
      name="pay"
      legend={`How to pay for ${number}`}
      options={[
        { value: 'saved_card', label: card.name, description: `Saved card, expires ${card.expiry}` },
        { value: 'voucher', label: 'Voucher' },
      ]}
    />
  )
}

function PlanOrCodeField({ form, offer }: { form: Form; offer: RenewalOffer }) {
  if (form.values.pay !== 'saved_card')
    return (
      <TextField
        form={form}
        name="code"
        label="Voucher code"
        allow={/[a-z0-9]/i}
        maxLength={12}
        uppercase
        autoComplete="off"
      />
    )
  return (
    <SelectField
      form={form}
      name="product"
      label="Plan"
      placeholder="Choose one"
      options={offer.plans.map((plan) => ({ value: plan.id, label: planName(plan) }))}
    />
  )
}

const offerQuery = (api: Api, id: string, service: string) =>
  queryOptions({
    queryKey: ['renewal-offer', id, service],
    queryFn: async () => (await api.call(readRenewalOffer, { params: { id, service } })).data,
  })
