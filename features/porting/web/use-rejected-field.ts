import { useEffect, useEffectEvent } from 'react'
import type { Form } from '#kit/web/form/form.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import type { LastPort } from '../port-service.contract.ts'
import type { Donor } from '../porting.contract.ts'
import type { PortingValues } from './PortingForm.tsx'

export const getRejectedField = (reason: PortingRequestView['reason'] | undefined) =>
  reason === 'sim_number' || reason === 'account_number' ? formFields[reason] : undefined

const formFields = { sim_number: 'prepaid_sim_number', account_number: 'account_number' } as const

type PreviousRequest = {
  last: LastPort | null
  failed: PortingRequestView | null
  donors: readonly Donor[] | undefined
}

export function useRejectedField(form: Form<PortingValues>, { last, failed, donors }: PreviousRequest): void {
  const field = getRejectedField(failed?.reason)
  const markRejectedField = useEffectEvent(() => {
    if (!field || !last || form.values[field] !== last[field]) return
    const donor = donors?.find(({ id }) => id === last.provider)?.name ?? 'your provider'
    form.setErrors({ [field]: [`This doesn’t match the records at ${donor}. Please check it.`] })
  })
  useEffect(() => {
    if (form.hydrated) markRejectedField()
  }, [form.hydrated])
}
