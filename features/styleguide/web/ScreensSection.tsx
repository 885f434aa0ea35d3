import { useState } from 'react'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Section, State } from './Section.tsx'
import * as s from './guide.module.css'

export function ScreensSection() {
  const [busy, setBusy] = useState(false)
  return (
    <Section title="Full-page states">
      <State name="Loading">
        <div className={s.frame}>
          <LoadingScreen />
        </div>
      </State>
      <State name="Error with a Try Again button">
        <div className={s.frame}>
          <ErrorScreen busy={busy} onRetry={() => setBusy(true)}>
            Your purchases can’t be loaded right now.
          </ErrorScreen>
        </div>
      </State>
      <State name="Not found">
        <div className={s.frame}>
          <NotFoundScreen />
        </div>
      </State>
    </Section>
  )
}
