const most = 110;
const beginsComment = /^\s*(?:\/\/|\/\*|\*(?:[\s/]|$))/;

/**
 * How many lines of comments are longer than 110 characters. The formatter keeps code to that width and
 * leaves comments as they are. Texts in quotes stay on one line, so that a search finds them whole.
 */
export const countLongCommentLines = (source: string): number =>
  source.split('\n').filter((line) => line.length > most && beginsComment.test(line)).length;
