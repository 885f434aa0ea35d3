import { useState } from 'react'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { DangerText } from '#kit/web/widgets/DangerText.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Section, State, States } from './Section.tsx'

export function ButtonsSection() {
  return (
    <Section title="Buttons" note="Each screen has one primary action. A button that leads to another page is a link.">
      <States>
        <State name="Primary">
          <Button>Continue</Button>
        </State>
        <State name="Quiet">
          <Button kind="quiet">Usage details</Button>
        </State>
        <State name="Plain">
          <Button kind="plain">Back</Button>
        </State>
        <DangerousButtons />
        <State name="Link that looks like a button">
          <Button kind="quiet" href="/styleguide/?part=controls">
            Open this page
          </Button>
        </State>
        <State name="Button with an icon">
          <Button>
            <Icon name="renew" />
            Renew
          </Button>
        </State>
        <State name="Full-width button">
          <Button wide>Confirm & pay</Button>
        </State>
        <State name="Disabled primary button">
          <Button disabled>Continue</Button>
        </State>
        <State name="Disabled quiet button">
          <Button kind="quiet" disabled>
            Usage details
          </Button>
        </State>
        <State name="Disabled plain button">
          <Button kind="plain" disabled>
            Back
          </Button>
        </State>
        <State name="Busy while the customer waits for a response">
          <BusyButtons />
        </State>
        <State name="Very long label">
          <Button>Renew with American Express 0000 0000 0000 002 and everything else there is to say about it</Button>
        </State>
      </States>
      <p className="muted">
        The submit button of a form, with its pending and success states, is shown in the Forms part.
      </p>
    </Section>
  )
}

function DangerousButtons() {
  return (
    <>
      <State name="Action that cannot be undone">
        <DangerText>
          <Button>Cancel and refund</Button>
        </DangerText>
      </State>
      <State name="Quiet action that cannot be undone">
        <DangerText>
          <Button kind="quiet">Erase my data</Button>
        </DangerText>
      </State>
    </>
  )
}

function BusyButtons() {
  const [busy, setBusy] = useState(false)
  return (
    <>
      <BusyButton busy={busy} busyText="Enabling…" onClick={() => setBusy(true)}>
        Enable auto-renewal
      </BusyButton>{' '}
      {busy && (
        <Button kind="plain" onClick={() => setBusy(false)}>
          Simulate the response
        </Button>
      )}
    </>
  )
}
