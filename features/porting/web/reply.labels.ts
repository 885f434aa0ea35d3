export const replyLabels = {
  NZ: {
    title: 'Reply YES to the text',
    late: 'The network hasn’t confirmed yet that your ‘Yes’ was in time.',
    timer: 'Time left to reply YES',
    left: (minutes: number) => `${minutes} minutes left to reply YES.`,
  },
  AU: {
    title: 'Enter the code from the text',
    late: 'The network hasn’t confirmed yet that your code was in time.',
    timer: 'Time left to enter your code',
    left: (minutes: number) => `${minutes} minutes left to enter the code.`,
  },
} as const
