import { useState } from 'react'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import * as s from './ResendMail.module.css'

type Props = {
  question: string
  text: string
  send: () => Promise<string>
  onFailure?: (error: unknown) => void
}

export function ResendMail({ question, text, send, onFailure }: Props) {
  const [sentMessage, setSentMessage] = useState('')
  const { error, isPending, isSuccess, mutate } = useMutation({
    mutationFn: () =>
      send().catch((failure: unknown) => {
        onFailure?.(failure)
        throw failure
      }),
    onSuccess: setSentMessage,
  })
  return (
    <div className={s.resend}>
      <p>{question}</p>
      <BusyButton kind="quiet" busy={isPending} busyText="SENDING" onClick={() => void mutate()}>
        {text}
      </BusyButton>
      <div className={s.answer} role="status">
        {isSuccess && <Banner kind="good">{sentMessage}</Banner>}
        {error && <FailureBanner error={error} />}
      </div>
    </div>
  )
}
