import { ScreensSection } from './ScreensSection.tsx'
import { StepsSection } from './StepsSection.tsx'
import { NavigationSection } from './NavigationSection.tsx'

export default function ScreensPart() {
  return (
    <>
      <NavigationSection />
      <StepsSection />
      <ScreensSection />
    </>
  )
}
