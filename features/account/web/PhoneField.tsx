import { useApi } from '#kit/web/api.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { UnavailableLine } from '#kit/web/widgets/UnavailableLine.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'

export type NumberOptions = {
  options: { value: string; label: string }[] | null
  isError: boolean
  retry: () => void
}

export function useNumberOptions(): NumberOptions {
  const { data, isError, refetch } = useQuery({ ...servicesQuery(useApi()), retryOnMount: false })
  const options = data
    ? Object.values(data).map(({ msisdn, phone_number }) => ({ value: msisdn, label: phone_number }))
    : null
  return { options, isError, retry: () => void refetch() }
}

/** Until the customer's numbers have loaded, the field shows the current phone, and saving submits it unchanged. */
export function PhoneField({
  form,
  user,
  numbers,
}: {
  form: Form<{ phone: string }>
  user: User
  numbers: NumberOptions
}) {
  const { options, isError, retry } = numbers
  const loadErrorLine = (
    <UnavailableLine what={numbersUnavailableMessage} control={form.field('phone').id} onRetry={retry} />
  )
  const currentOption = user.phone ? [{ value: user.phone, label: user.phone_display ?? user.phone }] : []
  return (
    <SelectField
      form={form}
      name="phone"
      label="Phone"
      autoComplete="tel"
      optional={options?.length === 0}
      options={options ?? currentOption}
      placeholder={getPlaceholder(numbers)}
      hint={options ? renderHint(options) : isError ? loadErrorLine : 'Loading your phone numbers…'}
    />
  )
}

const numbersUnavailableMessage = 'Your phone numbers can’t be loaded right now.'

function getPlaceholder({ options }: NumberOptions): string {
  return options?.length === 0 ? 'No numbers yet' : 'Choose a phone number'
}

const renderHint = (options: readonly unknown[]) =>
  options.length === 0
    ? 'Once you’ve activated a SIM, you can choose its number here.'
    : 'Choose one of your numbers. If you change it, we’ll email you a link to confirm the change.'
