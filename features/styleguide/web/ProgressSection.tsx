import { RadialGauge } from '#kit/web/widgets/RadialGauge.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import { Section, State, States } from './Section.tsx'
import * as s from './guide.module.css'

export function ProgressSection() {
  return (
    <Section
      title="Progress"
      note="A progress bar never shows less than 0% or more than 100%. The gauge is shaped like a bird’s tail, and its value is also text."
    >
      <States>
        {[0, 50, 100, 150].map((value) => (
          <State key={value} name={`${value} of 100`}>
            <Progress value={value} max={100} label={`${value} of 100`} />
          </State>
        ))}
        <State name="Highlighted bar">
          <Progress kind="sun" value={19} max={30} label="19 of 30 days" />
        </State>
      </States>
      <States>
        {(
          [
            [0, '0'],
            [18.4, '18.4'],
            [25, '25'],
          ] as const
        ).map(([left, words]) => (
          <State key={left} name={`${words} GB of 25 GB`}>
            <RadialGauge value={left} max={25} label="Data left" valueText={`${words} GB of 25 GB`}>
              <b className={s.big}>{words}</b>
              <br />
              GB left of 25 GB
            </RadialGauge>
          </State>
        ))}
      </States>
    </Section>
  )
}
