package org.openapitools.jackson.nullable;

import com.fasterxml.jackson.core.*;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;

@SuppressWarnings({"rawtypes", "unchecked"})
public class JsonNullableModule extends SimpleModule {
  public JsonNullableModule() {
    addSerializer(JsonNullable.class, new StdSerializer<JsonNullable>(JsonNullable.class) {
      public boolean isEmpty(SerializerProvider provider, JsonNullable value) {
        return !value.isPresent();
      }

      public void serialize(JsonNullable value, JsonGenerator out, SerializerProvider provider) throws IOException {
        out.writeObject(value.get());
      }
    });
    addDeserializer(JsonNullable.class, new StdDeserializer<JsonNullable>(JsonNullable.class) {
      public JsonNullable deserialize(JsonParser in, DeserializationContext context) throws IOException {
        return JsonNullable.of(in.readValueAs(Object.class));
      }
    });
  }
}
