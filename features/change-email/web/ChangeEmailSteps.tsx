import { useEffect, useRef, useState } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import type { EmailChangeView } from '../change-email.contract.ts'
import type { EmailChangeState } from '../change-email.states.ts'
import { CanceledStep } from './CanceledStep.tsx'
import { FinishedStep } from './FinishedStep.tsx'
import { LinkStep } from './LinkStep.tsx'
import { NoTriesLeft } from './NoTriesLeft.tsx'
import { NewEmailStep } from './NewEmailStep.tsx'
import { PinStep } from './PinStep.tsx'
import { useChangeEmailMutations } from './use-change-email-mutations.ts'
import * as s from './change-email.module.css'

const steps = ['New email', 'One-Time PIN', 'Confirmation']

const stepByState: { readonly [State in EmailChangeState]: { step: number; heading: string } } = {
  CREATED: { step: 0, heading: 'Your new email address' },
  REQUESTED: { step: 1, heading: 'Enter your One-Time PIN' },
  EXPIRED: { step: 1, heading: 'Enter your One-Time PIN' },
  VERIFIED: { step: 2, heading: 'Check your inbox' },
  FINISHED: { step: 3, heading: 'Your email address has changed' },
  CANCELED: { step: 1, heading: 'This email change has been stopped' },
}

export function ChangeEmailSteps({ change, user }: { change: EmailChangeView; user: User }) {
  // The BACK button changes nothing on the server. The email change stays open until a new one replaces it (spec 4).
  const [isEditingEmail, setEditingEmail] = useState(false)
  const changeEmailMutations = useChangeEmailMutations(() => setEditingEmail(false))
  const goBack = () => setEditingEmail(true)

  const state = isEditingEmail ? 'CREATED' : change.state
  const { step, heading } = stepByState[state]
  const backPath = user.email_verified ? '/account/contact-details/' : '/verify/'
  return (
    <>
      <StepBar steps={steps} current={step} />
      <Card>
        <StepHeading text={heading} />
        {state === 'CREATED' &&
          (change.locked_until ? (
            <NoTriesLeft email={user.email} until={change.locked_until} back={backPath} />
          ) : (
            <NewEmailStep change={change} email={user.email} moves={changeEmailMutations} back={backPath} />
          ))}
        {(state === 'REQUESTED' || state === 'EXPIRED') && (
          <PinStep change={change} moves={changeEmailMutations} goBack={goBack} />
        )}
        {state === 'VERIFIED' && (
          <LinkStep change={change} email={user.email} moves={changeEmailMutations} goBack={goBack} />
        )}
        {state === 'FINISHED' && <FinishedStep email={change.new_email} back={backPath} startAgain={goBack} />}
        {state === 'CANCELED' && <CanceledStep change={change} user={user} startAgain={goBack} />}
      </Card>
    </>
  )
}

function StepHeading({ text }: { text: string }) {
  const ref = useRef<HTMLHeadingElement>(null)
  const shownHeading = useRef(text)
  useEffect(() => {
    if (shownHeading.current === text) return
    shownHeading.current = text
    ref.current?.focus()
  }, [text])
  return (
    <h2 ref={ref} tabIndex={-1} className={s.heading}>
      {text}
    </h2>
  )
}
