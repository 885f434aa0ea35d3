import { useState } from 'react'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import * as s from './customer.module.css'

type Props = {
  masked: string
  label: string
  show: () => Promise<string>
  onShown?: () => void
}

export function MaskedValue({ masked, label, show, onShown }: Props) {
  const [shown, setShown] = useState<string | null>(null)
  const showMutation = useMutation({
    mutationFn: show,
    onSuccess(whole) {
      setShown(whole)
      onShown?.()
    },
  })
  return (
    <>
      <span role="status">{shown ?? masked}</span>
      {shown === null && (
        <button
          type="button"
          className={s.eye}
          title="Show (this is logged)"
          aria-label={label}
          aria-busy={showMutation.isPending || undefined}
          onClick={() => void (showMutation.isPending || showMutation.mutate())}
        >
          <DeskIcon name="eye" />
        </button>
      )}
      {showMutation.isError && (
        <span role="alert" className={s.small}>
          We couldn’t show the full value. Try again.
        </span>
      )}
    </>
  )
}
