import { useEffect, useRef, useState } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import type { ChangeEmail } from '../change-email.contract.ts'
import type { ChangeEmailState } from '../change-email.states.ts'
import { Canceled } from './Canceled.tsx'
import { Finished } from './Finished.tsx'
import { LinkStep } from './LinkStep.tsx'
import { NoTriesLeft } from './NoTriesLeft.tsx'
import { NewEmailStep } from './NewEmailStep.tsx'
import { PinStep } from './PinStep.tsx'
import { useMoves } from './use-change-email.ts'
import * as s from './change-email.module.css'

const steps = ['New email', 'One-Time PIN', 'Confirmation']

const views: { readonly [State in ChangeEmailState]: { step: number; heading: string } } = {
  CREATED: { step: 0, heading: 'Your new email address' },
  REQUESTED: { step: 1, heading: 'Enter your One-Time PIN' },
  EXPIRED: { step: 1, heading: 'Enter your One-Time PIN' },
  VERIFIED: { step: 2, heading: 'Check your inbox' },
  FINISHED: { step: 3, heading: 'Your email address is changed' },
  CANCELED: { step: 1, heading: 'This change has been stopped' },
}

export function ChangeEmailSteps({ change, user }: { change: ChangeEmail; user: User }) {
  // BACK changes nothing on the server. The request stays open until another request replaces it (spec 4).
  const [isBack, setBack] = useState(false)
  const moves = useMoves(() => setBack(false))
  const goBack = () => setBack(true)

  const state = isBack ? 'CREATED' : change.state
  const { step, heading } = views[state]
  const back = user.email_verified ? '/account/contact-details/' : '/verify/'
  return (
    <>
      <StepBar steps={steps} current={step} />
      <Card>
        <Heading text={heading} />
        {state === 'CREATED' &&
          (change.locked_until ? (
            <NoTriesLeft email={user.email} until={change.locked_until} back={back} />
          ) : (
            <NewEmailStep change={change} email={user.email} moves={moves} back={back} />
          ))}
        {(state === 'REQUESTED' || state === 'EXPIRED') && <PinStep change={change} moves={moves} goBack={goBack} />}
        {state === 'VERIFIED' && <LinkStep change={change} email={user.email} moves={moves} goBack={goBack} />}
        {state === 'FINISHED' && <Finished email={change.new_email} back={back} startAgain={goBack} />}
        {state === 'CANCELED' && <Canceled change={change} user={user} startAgain={goBack} />}
      </Card>
    </>
  )
}

function Heading({ text }: { text: string }) {
  const ref = useRef<HTMLHeadingElement>(null)
  const shown = useRef(text)
  useEffect(() => {
    if (shown.current === text) return
    shown.current = text
    ref.current?.focus()
  }, [text])
  return (
    <h2 ref={ref} tabIndex={-1} className={s.heading}>
      {text}
    </h2>
  )
}
