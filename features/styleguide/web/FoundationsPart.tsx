import { ColoursSection } from './ColoursSection.tsx'
import { IconsSection } from './IconsSection.tsx'
import { MeasuresSection } from './MeasuresSection.tsx'
import { MotionSection } from './MotionSection.tsx'
import { TypeSection } from './TypeSection.tsx'

export function FoundationsPart() {
  return (
    <>
      <ColoursSection />
      <TypeSection />
      <MeasuresSection />
      <MotionSection />
      <IconsSection />
    </>
  )
}
