import { useEffect, useEffectEvent } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import type { Form, Name } from '#kit/web/form/use-form.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { voucherCodeLength } from '../vouchers.contract.ts'
import { VoucherPlan } from './VoucherPlan.tsx'
import { isVoid, type VoucherEvent, voucherFault, voucherQuery } from './voucher.queries.ts'
import s from './VoucherCodeField.module.css'

type Props<V extends object> = {
  form: Form<V>
  name: Name<V>
  /** An activation unless said otherwise. */
  event?: VoucherEvent
}

/** A voucher's code, looked up as soon as it is complete: its plan shows below, or why it has none. */
export function VoucherCodeField<V extends object>({ form, name, event }: Props<V>) {
  const code = String(form.values[name])
  const { data, error, isFetching, refetch } = useQuery(voucherQuery(useApi(), code, event))
  const tell = useEffectEvent((failure: Error) => form.setErrors({ [name]: [voucherFault(failure)] }))
  useEffect(() => {
    if (error) tell(error)
  }, [error])

  function askAgain() {
    form.clearErrors(name)
    // The button goes while the answer is awaited.
    document.getElementById(form.field(name).id)?.focus()
    void refetch()
  }

  return (
    <>
      <TextField
        form={form}
        name={name}
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
      {error && !isVoid(error) && !isFetching && (
        <Button kind="quiet" onClick={askAgain}>
          Try Again
        </Button>
      )}
      <div role="status" className={s.plan}>
        {data && <VoucherPlan product={data.product} />}
      </div>
    </>
  )
}
