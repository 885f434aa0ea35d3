import { useState } from 'react'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import s from './Resend.module.css'

type Props = {
  question: string
  /** What the button says. */
  text: string
  /** Sends it again and answers what to say then. */
  send: () => Promise<string>
  onFailure?: (error: unknown) => void
}

/** "Didn't receive it?", and the button that helps. It stays pressable: a disabled one would lose the focus. */
export function Resend({ question, text, send, onFailure }: Props) {
  const [said, say] = useState('')
  const { error, isPending, isSuccess, mutate } = useMutation({
    mutationFn: () =>
      send().catch((failure: unknown) => {
        onFailure?.(failure)
        throw failure
      }),
    onSuccess: say,
  })
  return (
    <div className={s.resend}>
      <p>{question}</p>
      <Button kind="quiet" aria-busy={isPending || undefined} onClick={() => void (isPending || mutate())}>{text}</Button>
      <div className={s.answer} role="status">
        {isSuccess && <Banner kind="good">{said}</Banner>}
        {error && <FailureBanner error={error} />}
      </div>
    </div>
  )
}
