import { useEffect, useEffectEvent } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { useIsFetching } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { voucherCodeLength, type VoucherEvent } from '../vouchers.contract.ts'
import { VoucherPlan } from './VoucherPlan.tsx'
import { isInvalidVoucher, useEnteredVoucher, getVoucherErrorMessage, voucherQuery } from './voucher.queries.ts'
import * as s from './VoucherCodeField.module.css'

type Props = {
  form: Form<{ code: string }>
  event?: VoucherEvent
}

export function VoucherCodeField({ form, event }: Props) {
  const { code } = form.values
  const query = voucherQuery(useApi(), code, event)
  const { data, error, refetch } = useEnteredVoucher(form, event)
  const isFetching = useIsFetching(query)
  const showLookupError = useEffectEvent((failure: Error) =>
    form.setErrors({ ...form.errors, code: [getVoucherErrorMessage(failure)] }),
  )
  useEffect(() => {
    if (error) showLookupError(error)
  }, [error])

  // If a purchase is rejected without naming a field, the voucher may be the reason, so look it up again.
  const isRejected = form.errors.__all__ !== undefined
  const refreshVoucher = useEffectEvent(() => data && void refetch())
  useEffect(() => {
    if (isRejected) refreshVoucher()
  }, [isRejected])

  function retryLookup() {
    form.clearErrors('code')
    // The retry button disappears during the request, so move the focus to the field.
    document.getElementById(form.field('code').id)?.focus()
    void refetch()
  }

  return (
    <>
      <TextField
        form={form}
        name="code"
        label="Voucher Code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        uppercase
        allow={/[a-z0-9]/i}
        maxLength={voucherCodeLength}
        className={s.code}
        hint={isFetching ? 'Checking your code…' : '12 letters and digits, as in your email'}
      />
      {error && !isInvalidVoucher(error) && !isFetching && (
        <Button kind="quiet" onClick={retryLookup}>
          Try Again
        </Button>
      )}
      <div role="status" className={s.plan}>
        {data && <VoucherPlan product={data.product} />}
      </div>
    </>
  )
}
