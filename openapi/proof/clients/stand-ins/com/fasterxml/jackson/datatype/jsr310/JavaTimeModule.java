// Times as their text: as much of jackson-datatype-jsr310 as the generated client uses.
package com.fasterxml.jackson.datatype.jsr310;

import com.fasterxml.jackson.core.*;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.OffsetDateTime;

public class JavaTimeModule extends SimpleModule {
  public JavaTimeModule() {
    addSerializer(OffsetDateTime.class, ToStringSerializer.instance);
    addDeserializer(OffsetDateTime.class, new StdDeserializer<OffsetDateTime>(OffsetDateTime.class) {
      public OffsetDateTime deserialize(JsonParser in, DeserializationContext context) throws IOException {
        return OffsetDateTime.parse(in.getText());
      }
    });
  }
}
